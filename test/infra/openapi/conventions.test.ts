import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { type FunctionRow, manifest } from '../../../infra/manifest.ts'
import { type DocumentedOperation, document, operations } from './openApiDocument.ts'

const rows: readonly FunctionRow[] = manifest
const objectSchema = z.looseObject({ properties: z.record(z.string(), z.looseObject({})) })

/** The members of the object that an operation answers with 200. */
function answered({ operationId, responses }: DocumentedOperation) {
  const schema = responses[200]?.content?.['application/json']?.schema
  const name = z.object({ $ref: z.string() }).safeParse(schema).data?.$ref.replace('#/components/schemas/', '')
  const { data } = objectSchema.safeParse(name === undefined ? schema : document.components.schemas[name])
  return { operationId, members: data?.properties ?? {} }
}

describe('Every operation with a limit', () => {
  it('tells what is left of it with 2xx and 429, and no other operation does', () => {
    const limited = new Set(rows.flatMap(({ operationId, rateLimit }) => (rateLimit ? [operationId] : [])))
    const told = ['RateLimit', 'RateLimit-Policy']
    expect(limited.size).toBeGreaterThan(70)
    for (const { operationId, responses } of operations) {
      const isLimited = limited.has(operationId.replace(/ByPost$/, ''))
      const answers = Object.entries(responses).filter(([status]) => Number(status) < 300 || status === '429')
      for (const [status, { headers = {} }] of answers) {
        const found = told.filter((name) => name in headers)
        expect({ operationId, status, found }).toEqual({ operationId, status, found: isLimited ? told : [] })
      }
    }
  })
})

describe('Every PATCH', () => {
  it('requires no member of its body: `{}` changes nothing', () => {
    const changes = operations.filter(({ method }) => method === 'patch')
    expect(changes.length).toBeGreaterThanOrEqual(7)
    for (const { operationId, requestBody } of changes) {
      const required = requestBody?.content['application/json']?.schema.required ?? []
      expect({ operationId, required }).toEqual({ operationId, required: [] })
    }
  })
})

describe('Every list', () => {
  // RFC 7517 §5 names the members of a key set.
  const lists = operations.filter(({ operationId }) => /^list/.test(operationId) && operationId !== 'listSigningKeys')

  it('has next_cursor, a string or null', () => {
    expect(lists.length).toBeGreaterThan(15)
    for (const { operationId, members } of lists.map(answered)) {
      expect({ operationId, type: members.next_cursor?.type }).toEqual({ operationId, type: ['string', 'null'] })
    }
  })

  it('that takes no cursor says that it has no other page', () => {
    for (const operation of lists) {
      const isPaged = operation.parameters?.some(({ name }) => name === 'cursor') ?? false
      const { operationId, members } = answered(operation)
      const isWhole = /^Always null/.test(String(members.next_cursor?.description))
      expect({ operationId, isWhole }).toEqual({ operationId, isWhole: !isPaged })
    }
  })
})

/** The members and parameters below a part of the document, by name, with whether each is a time. */
function timesIn(part: unknown, name = ''): { name: string; isTime: boolean }[] {
  if (typeof part !== 'object' || part === null) return []
  const named = z.object({ name: z.string(), in: z.string(), schema: z.looseObject({}) }).safeParse(part).data
  if (named) return timesIn(named.schema, named.name)
  const own =
    'type' in part && part.type !== 'null' ? [{ name, isTime: 'format' in part && part.format === 'date-time' }] : []
  const parts = Object.entries(part).filter(([key]) => key !== 'examples')
  const below = parts.flatMap(([key, value]) =>
    key === 'properties'
      ? Object.entries(value).flatMap(([member, schema]) => timesIn(schema, member))
      : timesIn(value, name),
  )
  return [...own, ...below]
}

describe('A time', () => {
  const found = timesIn([document.components.schemas, document.paths])

  /** Names that are older than the rule, that another standard has, or that say which side of a time is meant. */
  const others = [
    ...['at', 'current_period_end', 'period_end', 'valid_until', 'previous_secret_valid_until', 'until'],
    ...['from', 'to', 'second_factor_from', 'second_factor_required_from'],
    // Standard Webhooks 1.0.
    'timestamp',
  ]

  it('has a name that ends in _at, and whatever has such a name is a time', () => {
    const times = new Set(found.flatMap(({ name, isTime }) => (isTime ? [name] : [])))
    expect([...times].filter((name) => !name.endsWith('_at')).toSorted()).toEqual(others.toSorted())
    const notTimes = found.filter(({ name, isTime }) => name.endsWith('_at') && !isTime)
    expect(notTimes).toEqual([])
  })
})
