/** Days that broke a promise once, each with the happenings that it took. */
export const regressions: readonly { readonly says: string; readonly seed: number; readonly only?: readonly number[] }[] = [];
