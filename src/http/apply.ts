import { z } from 'zod';
import type { Bus, ServiceReply } from '../bus/port.ts';
import { Failure } from '../failure.ts';
import { compare } from '../mesh/apply.ts';
import { MeshEntry } from '../mesh/entries.ts';

const Request = z.object({ mesh: z.string().min(1), entries: z.array(MeshEntry), 'dry-run': z.boolean() });

/** Publishes a folder's entries for a command that cannot reach the bus itself: the embedded one has one process. */
export function applyOver(bus: Bus, newId: () => string, now: () => number): (request: unknown) => Promise<ServiceReply> {
  return async (request) => {
    const asked = Request.safeParse(request);
    if (!asked.success) return { ok: false, code: 400, says: z.prettifyError(asked.error) };
    try {
      const { changes, perform } = await compare(bus, asked.data.mesh, asked.data.entries, newId);
      if (!asked.data['dry-run']) await perform(new Date(now()).toISOString());
      return { ok: true, text: JSON.stringify({ changes }) };
    } catch (error) {
      if (error instanceof Failure) return { ok: false, code: 500, says: error.message };
      throw error;
    }
  };
}
