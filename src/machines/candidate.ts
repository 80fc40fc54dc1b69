import type { Unneeded } from './reasons.ts';

/** A key that nothing needs: whether it retires is for the dwell and the brake to say. */
export interface Candidate {
  readonly key: string;
  readonly consumer: string;
  readonly unneeded: Unneeded;
  readonly since: number;
  readonly ready: boolean;
  readonly unasked: boolean;
}

/** The consumer of a key, `<node>.<module>`. */
export function consumerOf(key: string): string {
  return key.split('.', 2).join('.');
}
