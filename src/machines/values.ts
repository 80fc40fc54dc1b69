import type { Evidence, Place } from '../bus/contracts/common.ts';
import type { PlanValue } from '../bus/contracts/plans.ts';
import { boundBucket, keyOf } from '../bus/contracts/tokens.ts';
import type { Considered } from './consumers.ts';
import type { Needs } from './needs.ts';
import type { Pass } from './pass.ts';
import { placedValue } from './placed.ts';
import type { Placeholder } from './placeholders.ts';

/** Where a placeholder's value is found: nothing while it has none, and whether that is because an entry cannot be read. */
export interface FoundValue {
  readonly value?: PlanValue;
  readonly evidence: readonly Evidence[];
  readonly unreadable?: boolean;
}

/** Where the value of a placeholder of one consumer's plan is found, as the registry answers it (R2). */
export function valueIn(pass: Pass, { key, place }: Considered, placeholder: Placeholder, needs: Needs): FoundValue {
  const { node, module } = place;
  const { kind, name } = placeholder;
  switch (kind) {
    case 'config':
      return at({ bucket: 'mesh-config_values', key: keyOf(node, module, name) });
    case 'secret':
      return secretIn(place, name, needs);
    case 'bound':
      return boundIn(place, name, needs);
    case 'consumers':
      return at({ verb: 'mesh-vault.consumers', request: { node, module, provision: name } });
    case 'collected':
      return at({ bucket: 'mesh-provisioner_collect', key: `${keyOf(node, name)}.*` });
    case 'shell':
    case 'environment':
    case 'contribution':
      return at({ bucket: 'mesh-provisioner_collect', key: `${keyOf(node, `${kind}:${name}`)}.*` });
    default:
      return placedIn(pass, key, placeholder);
  }
}

/** `<provision>[.<local>][.<field>]`: the middle one is a local where the consumer needs the provision under it. */
function secretIn({ node, module }: Place, name: string, needs: Needs): FoundValue {
  const [provision, ...rest] = name.split('.');
  if (!provision || rest.includes('') || rest.length > 2) return { evidence: [] };
  const local = rest.length === 2 || (rest.length === 1 && needs.get(keyOf(node, module, provision, rest[0]!))) ? rest.shift()! : undefined;
  const [field] = rest;
  const key = keyOf(node, module, `secret-${provision}`, ...(local === undefined ? [] : [local]));
  return at({ verb: 'mesh-vault.secret', request: { key }, ...(field !== undefined && { field }) });
}

/** `<provision>[.<local>].<field>`, in the bucket of the provider that the key has. */
function boundIn({ node, module }: Place, name: string, needs: Needs): FoundValue {
  const names = name.split('.');
  const field = names.pop()!;
  if (field === '' || names.includes('') || names.length === 0 || names.length > 2) return { evidence: [] };
  const need = needs.get(keyOf(node, module, ...names));
  if (need?.provider === undefined) return { evidence: [] };
  return { value: { bucket: boundBucket(need.provider.module), key: need.key, field }, evidence: need.evidence };
}

function placedIn(pass: Pass, key: string, placeholder: Placeholder): FoundValue {
  const placed = placedValue(pass.picture, key, placeholder);
  if (placed?.seat !== undefined) pass.seats.add(placed.seat);
  return {
    ...(placed?.value !== undefined && { value: { value: placed.value } }),
    evidence: placed?.evidence ?? [],
    unreadable: placed?.unreadable ?? false,
  };
}

function at(value: PlanValue): FoundValue {
  return { value, evidence: [] };
}
