import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { play } from './story.ts';
import type { StoryGround } from './world.ts';

/** Plays the story of a file, and expects it to go as it was recorded. */
export async function told(file: string, ground: () => Promise<StoryGround>, isRecording: boolean): Promise<void> {
  const recorded = readFileSync(file, 'utf8');
  const went = await play(recorded, await ground());
  if (isRecording) writeFileSync(file, went);
  else expect(went).toBe(recorded);
}
