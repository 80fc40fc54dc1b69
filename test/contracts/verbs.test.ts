import { describe, expect, it } from 'vitest';
import { parseText } from '../../src/bus/contracts/parse.ts';
import { type Verb, verbs } from '../../src/bus/contracts/verbs.ts';

const read = (verb: Verb, request: object) => parseText<unknown>(verbs[verb].request, JSON.stringify(request));
const said = { by: 'ada', why: 'a planned move' };

describe('a request', () => {
  it.each<[Verb, object]>([
    ['mesh-provisioner.provisioning', { what: 'collect', node: 'ace', module: 'shop', collection: 'shell:zsh:normal' }],
    ['mesh-provisioner.plans', { node: 'ace' }],
    ['mesh-provisioner.provisions', { node: 'ace', module: 'shop', state: 'held' }],
    ['mesh-provisioner.health', {}],
    ['mesh-provisioner.explain', { key: 'ace.shop.route' }],
    ['mesh-provisioner.explain', { node: 'ace', module: 'shop' }],
    ['mesh-provisioner.asks', {}],
    ['mesh-provisioner.compose', { node: 'ace', 'retire-many': true, consumers: ['ace.shop'], 'dry-run': true, ...said }],
    ['mesh-provisioner.compose', { fault: 'mesh-brake.all', 'retire-many': true, ...said }],
    ['mesh-provisioner.reconsider', { key: 'ace.shop.route', ...said }],
    ['mesh-provisioner.accept', { read: 'haves', entries: 0, ...said }],
    ['mesh-router.raise', { id: 'ask-1', asker: 'mesh-provisioner', subject: 'ace.shop.route', question: 'Take it away?', proof: {} }],
    ['mesh-router.end', { id: 'ask-1', why: 'needed again' }],
    ['mesh-router.answer', { id: 'ask-1', answer: 'Keep', by: 'ada' }],
    ['mesh-router.asks', { asker: 'mesh-provisioner', state: 'open' }],
  ])('to %s is taken as the wire has it: %j', (verb, request) => {
    expect(read(verb, request)).toEqual({ ok: true, value: request });
  });

  it.each<[Verb, object, string, string]>([
    ['mesh-provisioner.compose', { node: 'ace', by: 'ada' }, 'why', 'expected text, found nothing'],
    ['mesh-provisioner.compose', { 'retire-many': true, ...said }, '', 'expected node or fault with retire-many'],
    ['mesh-provisioner.reconsider', { key: 'ace.shop.route', by: '', why: 'x' }, 'by', 'expected a name that is not empty'],
    ['mesh-provisioner.explain', {}, '', 'expected key, or node, or node and module'],
    ['mesh-provisioner.explain', { module: 'shop' }, '', 'expected key, or node, or node and module'],
    ['mesh-provisioner.explain', { key: 'ace.shop.route', node: 'ace' }, '', 'expected key, or node, or node and module'],
    ['mesh-provisioner.accept', { read: 'haves', entries: -1, ...said }, 'entries', 'expected at least 0, found -1'],
    ['mesh-router.answer', { id: 'ask-1', answer: 'yes', by: 'ada' }, 'answer', 'expected "Approve" or "Keep", found "yes"'],
    ['mesh-router.raise', { id: 'a', asker: 'b', subject: 'c', question: 'd' }, 'proof', 'expected a value'],
  ])('to %s out of schema names the field: %j', (verb, request, field, says) => {
    expect(read(verb, request)).toEqual({ ok: false, field, says });
  });
});
