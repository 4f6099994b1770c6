import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { gatewayNameSchema } from '../../lib/billing/gateway/gatewayName.ts'

const billing = join(import.meta.dirname, '..', '..', 'lib', 'billing')
const files = readdirSync(billing, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
const textOf = (file: string) => readFileSync(join(billing, file), 'utf8')

/** The names themselves, and the one place where a gateway is picked by one. */
const mayName = ['gateway/gatewayName.ts', 'gateway/gatewayOf.ts']

const names = gatewayNameSchema.options.join('|')
const literal = new RegExp(`['"\`](${names})['"\`]`)
const branch = new RegExp(`\\bcase ['"\`](${names})['"\`]|\\bgateways\\??(\\.|\\[['"\`])(${names})\\b`)

/** Lines of code in which a gateway is named: compared with, chosen, branched on. Comments may name one. */
function linesThatName(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => !/^\s*(\*|\/\/|\/\*)/.test(line))
    .filter((line) => branch.test(line) || (/gateway/i.test(line) && literal.test(line)))
}

describe('The use cases of billing', () => {
  it('know no gateway by its name, but pick it by what is stored', () => {
    const naming = files
      .filter((file) => !mayName.includes(file))
      .flatMap((file) => linesThatName(textOf(file)).map((line) => `${file}: ${line.trim()}`))
    expect(naming).toEqual([])
    expect(mayName.flatMap((file) => linesThatName(textOf(file)))).toHaveLength(2)
  })

  it.each([
    `if (account.gateway === 'invoice') return null`,
    `const { card } = deps.gateways.card`,
    `    case 'card':`,
    `const served = { gateway: "invoice" }`,
    `gateways['card']`,
  ])('would be found with %s', (line) => {
    expect(linesThatName(line)).toEqual([line])
  })

  it('import nothing of Stripe or of an adapter', () => {
    const importing = files.filter((file) => /from '[^']*(stripe|adapters)[^']*'/i.test(textOf(file)))
    expect(importing).toEqual([])
  })

  it('say nothing of Stripe in what is wanted of a gateway', () => {
    for (const file of ['gateway/gatewayPorts.ts', 'gateway/gatewayName.ts', 'gateway/gatewayOf.ts'])
      expect(textOf(file)).not.toMatch(/stripe/i)
  })
})
