/** What ends a command other than well, each with the exit code that scripts know it by. */
export const exitCodes = { failed: 1, usage: 2, 'no-seat': 3, 'no-such': 4, refused: 5, 'timed-out': 6 } as const;
export type FailureKind = keyof typeof exitCodes;

/** An expected end of a command: its message is for people and is all that they are shown. */
export class Failure extends Error {
  override readonly name = 'Failure';
  constructor(
    readonly kind: FailureKind,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }

  get exitCode(): number {
    return exitCodes[this.kind];
  }
}
