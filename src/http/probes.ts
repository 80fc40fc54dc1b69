import type { Context, Hono } from 'hono';
import type { Probe } from '../seat/run.ts';

/** The part of a running seat that probes ask. */
export interface Probed {
  probe(): Probe;
  ready(): boolean;
}

interface Line {
  readonly name: string;
  /** Why it is not as it should be. */
  readonly failed?: string;
  /** Readiness does not wait for it. */
  readonly aside?: true;
}

/**
 * `/livez` and `/readyz`, as Kubernetes writes them: `ok` where all is well, else a line each thing; with `?verbose` the lines in any case.
 * Ready is gate open and seat held; braked is still ready. Both answer 503 where they fail.
 */
export function probes(app: Hono, seat: () => Probed | undefined): void {
  app.get('/livez', (context) => answer(context, 'livez', [alive(seat())], seat()?.probe().lives ?? true));
  app.get('/readyz', (context) => answer(context, 'readyz', readiness(seat()), seat()?.ready() ?? false));
}

function alive(seat: Probed | undefined): Line {
  const lives = seat?.probe().lives ?? true;
  return { name: 'process', ...(lives ? {} : { failed: 'the seat cannot go on, its log says why: start it anew' }) };
}

function readiness(seat: Probed | undefined): readonly Line[] {
  if (seat === undefined) return [{ name: 'seat', failed: 'it is starting' }];
  const { notHeld, reads } = seat.probe();
  const held: Line = { name: 'seat', ...(notHeld === undefined ? {} : { failed: notHeld }) };
  const lines = reads.map(({ read, isOfGate, missing }): Line => {
    const since = missing?.since === undefined ? '' : `, since ${missing.since}`;
    return {
      name: read,
      ...(missing === undefined ? {} : { failed: `${missing.why}${since}` }),
      ...(isOfGate ? {} : { aside: true }),
    };
  });
  const isOpen = reads.length > 0 && reads.every(({ isOfGate, missing }) => !isOfGate || missing === undefined);
  return [held, { name: 'gate', ...(isOpen ? {} : { failed: 'it is shut' }) }, ...lines];
}

function answer(context: Context, check: string, lines: readonly Line[], isPassed: boolean): Response {
  const status = isPassed ? 200 : 503;
  context.header('cache-control', 'no-store');
  if (isPassed && context.req.query('verbose') === undefined) return context.text('ok\n', status);
  return context.text(`${lines.map(said).join('\n')}\n${check} check ${isPassed ? 'passed' : 'failed'}\n`, status);
}

function said({ name, failed, aside }: Line): string {
  if (failed === undefined) return `[+]${name} ok`;
  return aside ? `[-]${name} missing: ${failed}; it holds back only what depends on it` : `[-]${name} failed: ${failed}`;
}
