import { systemClock } from '../../src/bus/clock.ts';
import type { StreamRecord } from '../../src/bus/port.ts';
import type { Inspected } from '../../src/http/inspector.ts';
import { Live } from '../../src/http/live/live.ts';
import { Past } from '../../src/http/past/past.ts';
import { kernelSettings } from '../kernel/driven-kernel.ts';

/** What the page looks at where no seat is held and the journal is empty. */
export function inspectedNothing(folder = 'no-such-folder'): Inspected {
  async function* records(): AsyncGenerator<StreamRecord> {}
  const live = new Live({ bus: 'nowhere', clock: systemClock, now: () => 0 });
  return { live, past: new Past(kernelSettings, 'nowhere', records), records, folder };
}
