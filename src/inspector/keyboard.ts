import { useEffect, useRef } from 'preact/hooks';
import { isTyping } from './filter.tsx';

/** What a view does by single keys, while nobody types and no dialog is open. */
export function useKeys(keys: Readonly<Record<string, () => unknown>>): void {
  const now = useRef(keys);
  now.current = keys;
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]') !== null) return;
      if (event.key === 'Enter' && event.target instanceof Element && event.target.closest('a, button, summary') !== null) return;
      const act = now.current[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', hear);
    return () => removeEventListener('keydown', hear);
  }, []);
}
