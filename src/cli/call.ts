import type { SeatClient } from './seat-client.ts';
import type { Terminal } from './terminal.ts';

/** What every command of the running seat has at hand. */
export interface Call<Options = object> {
  readonly client: SeatClient;
  readonly terminal: Terminal;
  readonly json: boolean;
  readonly by: string;
  readonly options: Options;
  now(): number;
}

/** Data as JSON where that was asked for, else in words. */
export function print({ json, terminal }: Call, data: unknown, words: () => string): void {
  terminal.out(json ? JSON.stringify(data, null, 2) : words());
}
