import type { JournalRecord } from '../../machines/facts.ts';
import { Broken, type Checker } from './checker.ts';

const OWN = ['mesh-provisioner_provisions', 'mesh-provisioner_plans', 'mesh-provisioner_faults'];
const JOURNAL = 'LOG.mesh-provisioner.journal';

/** Once a newer holder has written an entry, no older one writes it; nor does one append behind another's back (E4). */
export function oneHolderWrites(): Checker {
  const promise = 'one holder writes';
  const newest = new Map<string, number>();
  return {
    promise,
    applied({ bucket, key, epoch, by }) {
      if (by === 'world' || !(OWN.includes(bucket) || bucket === JOURNAL)) return;
      const entry = `${bucket} ${key}`;
      const last = newest.get(entry) ?? 0;
      if (epoch < last) throw new Broken(promise, `${by} wrote ${entry} at epoch ${epoch}, after ${last}`);
      newest.set(entry, epoch);
    },
  };
}

/** Whatever is refused or withheld, and whatever stands, says why (K8, P5). */
export function everythingSaysWhy(): Checker {
  const promise = 'everything says why';
  return {
    promise,
    applied({ bucket, key, after }) {
      if (bucket === 'mesh-provisioner_provisions' && after !== undefined && (after as { why?: string }).why?.trim() === '')
        throw new Broken(promise, `${key} does not`);
      if (bucket !== JOURNAL) return;
      for (const fact of (after as JournalRecord).facts)
        if (
          (fact.type === 'refused' || fact.type === 'withheld' || fact.type === 'missing') &&
          ('says' in fact ? fact.says : fact.why).trim() === ''
        )
          throw new Broken(promise, `${fact.type} in the journal does not`);
    },
  };
}
