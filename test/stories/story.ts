import { type Cast, type Command, milliseconds } from './cast.ts';
import { commands } from './commands.ts';
import { Observed } from './observed.ts';
import { Players } from './players.ts';
import { type Line, parse, render } from './transcript.ts';
import { BEGAN_AT, type StoryGround, World } from './world.ts';

/** Plays a story from its first command to its last and returns it as it went this time. */
export async function play(text: string, ground: StoryGround): Promise<string> {
  const world = new World(ground);
  const cast: Cast = { world, players: new Players(world), observed: new Observed(world) };
  world.reflex = () => cast.players.act();
  try {
    await world.begin();
    const lines: Line[] = [];
    for (const line of parse(text))
      lines.push('remark' in line ? line : { command: line.command, outcome: await outcomeOf(cast, line.command) });
    return render(lines);
  } finally {
    await world.end();
  }
}

async function outcomeOf(cast: Cast, command: string): Promise<string[]> {
  const { world, observed } = cast;
  const [name = '', ...words] = command.split(' ').filter((word) => word !== '');
  const outcome: string[] = [];
  const isPassing = name === '+';
  world.watch = async () => {
    const at = isPassing ? `${sinceBeginning(world.time.now)}  ` : '';
    outcome.push(...(await observed.changes()).map((line) => at + line));
  };
  try {
    if (isPassing) await world.pass(milliseconds(words.join('')));
    else outcome.push(...((await commandNamed(name)(cast, words)) ?? []));
    await world.settle();
  } catch (error) {
    throw new Error(`${command}: ${(error as Error).message}`, { cause: error });
  }
  return outcome.map(plain);
}

function commandNamed(name: string): Command {
  const command = commands[name];
  if (command === undefined) throw new Error(`there is no command ${name}: expected +, ${Object.keys(commands).join(', ')}`);
  return command;
}

/** Such as `1h02m03s`, or `3.25s`. */
function sinceBeginning(ms: number): string {
  const [hours, minutes, seconds] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, (ms / 1000) % 60];
  const parts = [hours > 0 ? `${hours}h` : '', hours > 0 || minutes > 0 ? `${minutes}m` : '', `${Number(seconds.toFixed(3))}s`];
  return parts.join('');
}

const DAY_MS = 86_400_000;

/** Times of the story as the time since it began; times of a server, which nobody can foresee, as such. */
function plain(line: string): string {
  return line.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z(?: [0-9a-f]{8}-[0-9a-f-]{27})?/g, (time) => {
    const since = Date.parse(time) - BEGAN_AT;
    return since >= -DAY_MS && since < 1000 * DAY_MS ? `T+${sinceBeginning(since)}` : '<then>';
  });
}
