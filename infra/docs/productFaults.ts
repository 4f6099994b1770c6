import * as z from 'zod'
import { iconPaths } from '../console/src/ui/iconPaths.ts'

const text = z.string('is missing').trim().min(1, 'is empty')
/** As in the names of metadata and paths; 40 leaves room for the organization beside it. */
const code = /^[a-z][a-z0-9_]{0,39}$/

const product = z.strictObject({
  planCode: text.regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'may have a-z, 0-9, _ and -, at most 64 of them'),
  name: text,
  description: z.strictObject({ en: text, de: text }, 'is missing'),
  icon: text.refine((name) => Object.hasOwn(iconPaths, name), `is none of ${Object.keys(iconPaths).join(', ')}`),
  unitAmount: z.int('is no whole number of the smallest unit').min(1, 'is not above 0'),
})

/** Samples and demo buy three products; a cart has at most 20 lines. */
const [FEWEST, MOST] = [3, 20]

/** What is wrong with the products on sale, a line each. */
export function productFaults(products: Readonly<Record<string, unknown>>): string[] {
  const codes = Object.keys(products)
  const plans = Object.values(products).map((row) => z.object({ planCode: z.string() }).safeParse(row).data?.planCode)
  return [
    ...(codes.length < FEWEST ? [`${codes.length} products are too few: samples and demo buy ${FEWEST}`] : []),
    ...(codes.length > MOST ? [`${codes.length} products are too many: a cart takes ${MOST}`] : []),
    ...codes.flatMap((name) => (code.test(name) ? [] : [`${name}: a code has a-z, 0-9 and _, at most 40 of them`])),
    ...plans.flatMap((plan, at) =>
      plan === undefined || plans.indexOf(plan) === at ? [] : [`${codes[at]}.planCode: ${plan} is already used`],
    ),
    ...Object.entries(products).flatMap(([name, row]) => rowFaults(name, row)),
  ]
}

function rowFaults(name: string, row: unknown): string[] {
  const issues = product.safeParse(row).error?.issues ?? []
  return issues.map((issue) => {
    const message = issue.code === 'unrecognized_keys' ? `has unknown members: ${issue.keys.join(', ')}` : issue.message
    return `${[name, ...issue.path].join('.')} ${message}`
  })
}

/** The text of each file that is generated from the products. */
interface Generated {
  readonly examples: string
  readonly document: string
  readonly clientTypes: string
}

/** The generated files that do not have exactly these products. */
export function filesBehind(codes: readonly string[], generated: Generated): string[] {
  const { components } = document.parse(JSON.parse(generated.document))
  const types = /^ {4}Product:([\s'|\w]*)/m.exec(generated.clientTypes)?.[1] ?? ''
  const typed = [...types.matchAll(/'(\w+)'/g)].map(([, name = '']) => name)
  const isAnswered = (name: string) => generated.examples.includes(`"product": "${name}"`)
  return [
    ...(codes.every(isAnswered) ? [] : ['infra/openapi/examples.json']),
    ...(components.schemas.Product.enum.join() === codes.join() ? [] : ['lib/http/openapi.json']),
    ...(typed.join() === codes.join() ? [] : ['infra/client/src/schema.ts']),
  ]
}

const document = z.object({
  components: z.object({ schemas: z.object({ Product: z.object({ enum: z.array(z.string()) }) }) }),
})
