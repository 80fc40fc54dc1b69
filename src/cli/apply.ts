import { entriesOf } from '../mesh/entries.ts';
import { readMesh } from '../mesh/folder.ts';
import type { Call } from './call.ts';
import { count } from './terminal.ts';
import { changeWords } from './words-rows.ts';

/** Publishes a mesh folder: its mistakes first, else the changes, else what was done. */
export async function apply({ client, terminal, json }: Call, folder: string): Promise<void> {
  const mesh = readMesh(folder);
  const { changes, perform } = await client.publish(mesh.name, entriesOf(mesh));
  if (json) terminal.out(JSON.stringify(changes, null, 2));
  else if (changes.length > 0) terminal.out(changeWords(changes));
  await perform();
  terminal.say(changes.length === 0 ? `${mesh.name}: nothing to change` : `${mesh.name}: ${count(changes.length, 'change')} published`);
}
