/** Days that broke a promise once, each with the happenings that it took. */
export const regressions: readonly { readonly says: string; readonly seed: number; readonly only?: readonly number[] }[] = [
  { says: 'the wants are lost and made anew, empty, and node engines stop what runs (P7)', seed: 38, only: [0, 63, 67] },
];
