import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { document, operations } from './openApiDocument.ts'

const member = z.looseObject({ description: z.string().default('') })
const withMembers = z.looseObject({ properties: z.record(z.string(), member) })

/** Every member that a schema has, also in its parts, with its path. */
function membersOf(schema: unknown, path: string): { path: string; description: string }[] {
  if (typeof schema !== 'object' || schema === null) return []
  // A condition names members that are described elsewhere.
  if ('if' in schema) return []
  const { data } = withMembers.safeParse(schema)
  const own = Object.entries(data?.properties ?? {}).map(([name, { description }]) => ({
    path: `${path}.${name}`,
    description,
  }))
  const parts = Object.entries(schema).flatMap(([name, part]) => membersOf(part, `${path}/${name}`))
  return [...own, ...parts]
}

const contents = operations.flatMap(({ operationId, requestBody, responses }) =>
  [requestBody, ...Object.values(responses)].flatMap((part) =>
    Object.values(part?.content ?? {}).map(({ schema }) => ({ path: operationId, schema })),
  ),
)
const named = Object.entries(document.components.schemas).map(([path, schema]) => ({ path, schema }))
const members = [...contents, ...named].flatMap(({ path, schema }) => membersOf(schema, path))
const parameters = operations.flatMap(({ operationId, parameters: own = [] }) =>
  own.map(({ name, description = '' }) => ({ path: `${operationId} ${name}`, description })),
)
const described = [...members, ...parameters]

describe('Members of bodies, and parameters', () => {
  it('have a description, every one: the contract says it by described()', () => {
    expect(members.length).toBeGreaterThan(400)
    expect(parameters.length).toBeGreaterThan(50)
    expect(described.filter(({ description }) => description.trim() === '').map(({ path }) => path)).toEqual([])
  })

  it('are described by what they mean: a sentence that begins like one and does not end in white space or a comma', () => {
    const sentence = /^[\p{Lu}`].*[^\s,;:]$/su
    expect(described.filter(({ description }) => !sentence.test(description))).toEqual([])
    for (const { description } of described) expect(description).not.toMatch(/\bTODO\b|^The [a-z_]+$/)
  })
})
