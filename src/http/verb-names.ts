import { type Verb, verbs } from '../bus/contracts/verbs.ts';

const READS: ReadonlySet<Verb> = new Set<Verb>([
  'mesh-provisioner.provisioning',
  'mesh-provisioner.plans',
  'mesh-provisioner.provisions',
  'mesh-provisioner.health',
  'mesh-provisioner.asks',
  'mesh-router.asks',
]);

/** Verbs that change nothing: they need no token, and may be asked by GET. */
export function isRead(verb: Verb): boolean {
  return READS.has(verb);
}

/** The verb of a path: its whole subject, or its last token where it is the provisioner's. */
export function verbNamed(name: string): Verb | undefined {
  const subject = name.includes('.') ? name : `mesh-provisioner.${name}`;
  return Object.hasOwn(verbs, subject) ? (subject as Verb) : undefined;
}
