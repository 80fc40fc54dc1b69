import { SUPERVISOR } from '../machines/effects.ts';
import { nodeMachine } from '../machines/node.ts';
import { supervisorMachine } from '../machines/supervisor.ts';
import { type KeptActor, misfit } from './kept-actor.ts';
import type { Piece, SupervisorPiece } from './piece.ts';

/** Why the pieces of a snapshot do not fit the machines as they are now; `undefined` where they do. */
export function misfitOf(supervisor: SupervisorPiece, others: ReadonlyMap<string, Piece>): string | undefined {
  if (supervisor.actor === undefined) return 'it keeps no supervisor';
  for (const [name, piece] of [[SUPERVISOR, supervisor] as const, ...others]) {
    if (piece.actor === undefined || piece.aside !== undefined) continue;
    const isSupervisor = name === SUPERVISOR;
    const wrong =
      misfit(isSupervisor ? supervisorMachine : nodeMachine, piece.actor) ??
      strayChild(piece.actor, isSupervisor ? placesOf(piece.actor) : keysOf(piece.actor));
    if (wrong !== undefined) return `${name}: ${wrong}`;
  }
  return undefined;
}

/** A child that its parent does not know, or one that it knows and that is not there: what is sent to that one would stop the sender. */
function strayChild({ children }: KeptActor, known: readonly string[]): string | undefined {
  const missing = known.find((id) => children[id] === undefined);
  if (missing !== undefined) return `${missing} is not among its children`;
  const stray = Object.keys(children).find((id) => !known.includes(id));
  return stray === undefined ? undefined : `it does not know its child ${stray}`;
}

function keysOf({ context }: { readonly context: unknown }): readonly string[] {
  return Object.keys((context as { keys: object }).keys);
}

function placesOf({ context }: { readonly context: unknown }): readonly string[] {
  return Object.keys((context as { places: object }).places).map((place) => place.slice('ask.'.length));
}
