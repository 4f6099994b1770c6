import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import * as real from 'zod'
import { lateZod } from '../../infra/aws/bundle/lateZod.ts'

let folder: string
let z: typeof real

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zod-'))
  const part = `globalThis.process.env.LATE_ZOD = 'loaded'; export * from ${JSON.stringify(import.meta.resolve('zod'))}`
  await writeFile(join(folder, 'zod.mjs'), part)
  const late = lateZod('./zod.mjs', pathToFileURL(join(folder, 'handler.mjs')).href)
  z = real.custom<typeof real>().parse(new Proxy({}, { get: (_, name) => late(String(name)) }))
  delete process.env.LATE_ZOD
})

afterEach(() => rm(folder, { recursive: true }))

const isLoaded = () => process.env.LATE_ZOD === 'loaded'

/** The same schema, of parts and methods that functions use. */
function order(of: typeof real) {
  const code = of.string().min(2).max(4)
  const line = of.discriminatedUnion('kind', [
    of.object({ kind: of.literal('plan'), code }),
    of.object({ kind: of.literal('seat'), count: of.coerce.number().int().positive().default(1) }),
  ])
  return of
    .object({
      at: of.iso.datetime(),
      lines: of.array(line).min(1),
      note: code.nullish().transform((it) => it ?? 'none'),
    })
    .extend({ by: of.uuid().brand<'By'>().optional() })
    .strict()
    .refine(({ note }) => note !== 'no', { error: 'refused' })
}

describe('A schema in a bundle', () => {
  it('is not made, nor zod loaded, while a function starts', () => {
    const schema = order(z)
    expect(new Error('other')).not.toBeInstanceOf(z.ZodError)
    expect(isLoaded()).toBe(false)
    schema.safeParse({})
    expect(isLoaded()).toBe(true)
  })

  it.each([
    {
      at: '2026-01-01T00:00:00Z',
      lines: [
        { kind: 'plan', code: 'abc' },
        { kind: 'seat', count: '2' },
      ],
      note: null,
    },
    { at: '2026-01-01T00:00:00Z', lines: [{ kind: 'seat' }], by: '7c9e6679-7425-40de-944b-e07fc1f90ae7' },
    { at: '2026-01-01T00:00:00Z', lines: [{ kind: 'seat' }], note: 'no' },
    { at: 'today', lines: [], note: 'n', other: true, by: 1 },
    { lines: [{ kind: 'plan', code: 'abcde' }, { kind: 'third' }, { kind: 'seat', count: 0 }] },
    'order',
  ])('parses as the schema itself: %j', (input) => {
    expect(order(z).safeParse(input)).toEqual(order(real).safeParse(input))
  })

  it('has what a schema has, and is of its class before zod is loaded by anything else', () => {
    const schema = z.object({ state: z.enum(['on', 'off']) })
    expect(schema instanceof z.ZodObject).toBe(true)
    expect(schema instanceof z.ZodLiteral).toBe(false)
    expect('shape' in schema).toBe(true)
    expect(schema.shape.state.options).toEqual(['on', 'off'])
  })

  it('throws errors of zod, which are known from others', () => {
    const parse = () => z.string().parse(1)
    expect(parse).toThrow(real.ZodError)
    expect(parse).toThrow(z.ZodError)
    expect(new Error('other')).not.toBeInstanceOf(z.ZodError)
  })

  it('is given the input itself, and no copy of it', () => {
    const input = { inner: { list: [1] } }
    const schema = z.unknown()
    expect(schema.parse(input)).toBe(input)
    expect(schema.parse(input)).toBe(input)
  })

  it('is made once', () => {
    const schema = z.object({ name: z.string() })
    expect([schema.parse({ name: 'a' }), schema.parse({ name: 'b' })]).toEqual([{ name: 'a' }, { name: 'b' }])
    expect(schema.shape).toBe(schema.shape)
  })
})
