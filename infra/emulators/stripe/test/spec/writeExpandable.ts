import { readFileSync, writeFileSync } from 'node:fs'
import expandable from '../../wire/expandable.json' with { type: 'json' }
import { expandableText } from './expandableOf.ts'

/** `STRIPE_SPEC=<Stripe's OpenAPI file> node writeExpandable.ts` lists again what Stripe's objects expand. */
const spec: unknown = JSON.parse(readFileSync(process.env.STRIPE_SPEC ?? '', 'utf8'))
const text = expandableText(spec, Object.keys(expandable))
writeFileSync(new URL('../../wire/expandable.json', import.meta.url), text)
