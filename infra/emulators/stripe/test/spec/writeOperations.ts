import { readFileSync, writeFileSync } from 'node:fs'
import { operationsText } from './operationsOf.ts'

/** `STRIPE_SPEC=<Stripe's OpenAPI file> node writeOperations.ts` lists the operations of Stripe's API again. */
const spec: unknown = JSON.parse(readFileSync(process.env.STRIPE_SPEC ?? '', 'utf8'))
writeFileSync(new URL('../../wire/operations.json', import.meta.url), operationsText(spec))
