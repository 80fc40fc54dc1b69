import { useEffect, useState } from 'preact/hooks';

export type View =
  | { readonly of: 'mesh' }
  | { readonly of: 'node'; readonly node: string }
  | { readonly of: 'key'; readonly key: string }
  | { readonly of: 'asks' }
  | { readonly of: 'ask'; readonly id: string }
  | { readonly of: 'gate' }
  | { readonly of: 'faults' }
  | { readonly of: 'log' };

/** Everything that an address carries: whoever opens it sees the same. */
export interface Address {
  readonly view: View;
  readonly filter: string;
  /** The tile, row or transition that is selected. */
  readonly selected: string;
  /** A moment of the past, as RFC 3339; empty for the present. */
  readonly at: string;
}

export function addressIn({ pathname, search }: { pathname: string; search: string }): Address {
  const query = new URLSearchParams(search);
  const text = (name: string) => query.get(name) ?? '';
  return { view: viewIn(pathname), filter: text('filter'), selected: text('selected'), at: text('at') };
}

/** A link to a view: its own filter and selection begin afresh, the moment stays. */
export function linkTo(view: View, { filter = '', selected = '', at = current.at }: Partial<Address> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ filter, selected, at })) if (value !== '') query.set(name, value);
  const search = query.toString();
  return pathOf(view) + (search === '' ? '' : `?${search}`);
}

let current = addressIn(location);
const listeners = new Set<() => void>();

export function useAddress(): Address {
  const [address, setAddress] = useState(current);
  useEffect(() => {
    const hear = () => setAddress(current);
    listeners.add(hear);
    return () => void listeners.delete(hear);
  }, []);
  return address;
}

export function go(to: string): void {
  history.pushState({ inside: true }, '', to);
  arrive(true);
}

/** Changes the address where it stands: what is typed or selected is no place to go back to. */
export function amend(change: Partial<Address>): void {
  const next = { ...current, ...change };
  history.replaceState(history.state, '', linkTo(next.view, next));
  arrive(false);
}

/** Back to where one came from, or to the mesh where the page was opened here. */
export function goBack(): void {
  if ((history.state as { inside?: boolean } | null)?.inside) history.back();
  else if (current.view.of !== 'mesh') go(linkTo({ of: 'mesh' }));
}

/** Links within the page are followed without loading it again. */
export function followLinks(): void {
  addEventListener('popstate', () => arrive(true));
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      return;
    if (link.target !== '' || link.origin !== location.origin || link.pathname.startsWith('/api/')) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}

function arrive(isPlace: boolean): void {
  current = addressIn(location);
  for (const listener of listeners) listener();
  if (isPlace) scrollTo(0, 0);
}

function viewIn(pathname: string): View {
  const [kind = '', ...rest] = pathname.split('/').slice(1);
  const name = decoded(rest.join('/'));
  if (kind === 'nodes' && name !== '') return { of: 'node', node: name };
  if (kind === 'keys' && name !== '') return { of: 'key', key: name };
  if (kind === 'asks') return name === '' ? { of: 'asks' } : { of: 'ask', id: name };
  if (kind === 'gate' || kind === 'faults' || kind === 'log') return { of: kind };
  return { of: 'mesh' };
}

function pathOf(view: View): string {
  if (view.of === 'mesh') return '/';
  if (view.of === 'node') return `/nodes/${encodeURIComponent(view.node)}`;
  if (view.of === 'key') return `/keys/${encodeURIComponent(view.key)}`;
  if (view.of === 'ask') return `/asks/${encodeURIComponent(view.id)}`;
  return `/${view.of}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
