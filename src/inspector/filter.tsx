import { useEffect, useRef } from 'preact/hooks';
import { amend, useAddress } from './address.ts';

/** The filter of a view: `/` goes to it, Escape empties and leaves it. */
export function Filter({ label, hint }: { label: string; hint: string }) {
  const { filter } = useAddress();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.key !== '/' || isTyping(event)) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    addEventListener('keydown', hear);
    return () => removeEventListener('keydown', hear);
  }, []);
  return (
    <input
      ref={field}
      class="filter"
      type="search"
      aria-label={label}
      placeholder={hint}
      value={filter}
      onInput={({ currentTarget }) => amend({ filter: currentTarget.value })}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' && event.key !== 'Enter') return;
        event.stopPropagation();
        if (event.key === 'Escape') amend({ filter: '' });
        event.currentTarget.blur();
      }}
    />
  );
}

export function isTyping({ target }: Event): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}
