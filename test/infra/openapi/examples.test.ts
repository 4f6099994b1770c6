import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { sampleEvent } from '../../../infra/local/samples/sampleEvent.ts'
import { readExamples } from '../../../infra/openapi/examples.ts'
import { cases, samples } from './documentedSamples.ts'
import { contentPointer, errorsOf, exampleValue, operations } from './openApiDocument.ts'

const request = z.looseObject({ rawPath: z.string(), rawQueryString: z.string(), body: z.string().optional() })

/** Whether a value is a template's with something in place of each `{{name}}`. */
function isFilled(pattern: unknown, value: unknown): boolean {
  if (typeof pattern === 'string') {
    const parts = pattern.split(/\{\{[\w.]+\}\}/).map((part) => part.replaceAll(/[^\w\s]/g, '\\$&'))
    return typeof value === 'string' && new RegExp(`^${parts.join('.+')}$`, 's').test(value)
  }
  if (typeof pattern !== 'object' || pattern === null) return pattern === value
  if (typeof value !== 'object' || value === null) return false
  const [wanted, found] = [new Map(Object.entries(pattern)), new Map(Object.entries(value))]
  return wanted.size === found.size && [...wanted].every(([key, member]) => isFilled(member, found.get(key)))
}

function parsed(body: string | undefined, type: string): unknown {
  return type === 'application/json' ? JSON.parse(body ?? '') : Object.fromEntries(new URLSearchParams(body))
}

describe('The examples of the document', () => {
  it('are the samples of its operations: where one is missing, npm run openapi -- --record writes it', async () => {
    const recorded = Object.entries(await readExamples()).flatMap(([name, examples]) =>
      Object.keys(examples).map((sample) => `${name} ${sample}`),
    )
    expect(recorded.sort()).toEqual(samples.map(({ row, sample }) => `${row.name} ${sample}`).sort())
  })

  it('belong to samples, or show an error by its code, every one', () => {
    for (const { operationId, parameters = [], requestBody, responses } of operations) {
      const contents = [requestBody, ...Object.values(responses)].flatMap((part) => Object.values(part?.content ?? {}))
      const names = [...parameters, ...contents].flatMap(({ examples = {} }) =>
        Object.entries(examples).flatMap(([name, example]) => ('$ref' in example ? [] : [name])),
      )
      const known = samples
        .filter(({ row }) => row.operationId === operationId.replace(/ByPost$/, ''))
        .map(({ sample }) => sample)
      expect(known).toEqual(expect.arrayContaining(names))
    }
  })

  it('show each error by its code as the schema of its answer says', () => {
    let count = 0
    for (const { responses } of operations) {
      for (const { content, pointer } of Object.values(responses)) {
        for (const [code, example] of Object.entries(content?.['application/json']?.examples ?? {})) {
          if (!('$ref' in example)) continue
          const value = exampleValue(example)
          expect(value).toMatchObject({ code })
          expect({ value, errors: errorsOf(contentPointer(pointer, 'application/json'), value) }).toEqual({
            value,
            errors: [],
          })
          count += 1
        }
      }
    }
    expect(count).toBeGreaterThan(100)
  })

  it.each(cases)('$name $sample: request and answer are as their schemas say', ({ answers, bodies, values }) => {
    for (const { schema, value } of [...answers, ...bodies, ...values]) {
      expect({ schema, value, errors: errorsOf(schema, value) }).toEqual({ schema, value, errors: [] })
    }
  })

  it.each(cases)(
    '$name $sample: the request is the one that is sent',
    ({ name, sample, operation, bodies, values }) => {
      const { rawPath, rawQueryString, body } = request.parse(sampleEvent(name, sample))
      const query = new URLSearchParams(rawQueryString)
      const steps = operation.path.split('/')
      for (const { in: where, name, value } of values) {
        const sent = where === 'query' ? query.get(name) : rawPath.split('/')[steps.indexOf(`{${name}}`)]
        expect({ name, value, sent: isFilled(sent, String(value)) }).toEqual({ name, value, sent: true })
      }
      for (const { type, value } of bodies) {
        expect({ value, sent: isFilled(parsed(body, type), value) }).toEqual({ value, sent: true })
      }
    },
  )
})
