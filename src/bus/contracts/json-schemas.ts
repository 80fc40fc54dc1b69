import { z } from 'zod';
import { type BucketContract, buckets, outcomes } from './buckets.ts';
import { verbs } from './verbs.ts';

/** The JSON Schemas of the wire by file name: `<bucket>.json`, and `<verb>.request.json` and `<verb>.answer.json`. */
export function jsonSchemas(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const add = (name: string, says: string, schema: z.ZodType) => files.set(`${name}.json`, textOf(says, schema));
  for (const [bucket, contract] of bucketContracts())
    add(bucket, `A value of the bucket ${bucket}, keyed ${contract.keys.says}`, contract.schema);
  for (const [verb, { request, answer }] of Object.entries(verbs)) {
    add(`${verb}.request`, `A request to ${verb}`, request);
    add(`${verb}.answer`, `An answer of ${verb}`, answer);
  }
  return files;
}

function bucketContracts(): (readonly [string, BucketContract])[] {
  return [...Object.entries(buckets), ['provider-module_bound', outcomes]];
}

function textOf(title: string, schema: z.ZodType): string {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`;
}
