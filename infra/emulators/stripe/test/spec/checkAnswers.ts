import { Ajv, type ValidateFunction } from 'ajv'
import { explainedOperations } from './explained.ts'
import { isRecord, type JsonSchema } from './jsonSchema.ts'
import { type Problem, problemsIn } from './problemsIn.ts'
import { definitionsSchema, type Operation, type Spec } from './readSpec.ts'

/** An answer as it left the emulator, and the test that was running. */
interface RecordedAnswer {
  method: string
  /** May carry a query. */
  path: string
  status: number
  body: string
  test?: string | undefined
}

/** Something the file does not allow, and how often it was seen. `where` is a path with `*` for each index. */
interface Mismatch {
  operation: string
  where: string
  what: string
  count: number
  test: string
}

/** What a run showed. */
export interface Findings {
  answers: number
  operations: Set<string>
  schemas: Set<string>
  mismatches: Mismatch[]
}

const unknownOperation: Problem = { where: '/', what: 'is no operation of the file' }

/** Codes of errors that only the emulator has. */
const ownCodes = /^(unsupported_(version|operation|parameter|value)|books_violated)$/

/**
 * Checks answers one by one against the file and sums up. Errors with a code of the emulator's own are not checked, and neither are answers
 * that a test scripted for operations that the emulator does not have.
 */
export function createAnswerChecker(spec: Spec): { check(answer: RecordedAnswer): void; findings(): Findings } {
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    verbose: true,
    inlineRefs: false,
    validateFormats: false,
    unicodeRegExp: false,
  })
  ajv.addSchema(definitionsSchema(spec))
  const validators = new Map<string, ValidateFunction>()
  const checked: JsonSchema[] = []
  const operations = new Set<string>()
  const mismatches = new Map<string, Mismatch>()
  let answers = 0

  function validator(key: string, schema: JsonSchema): ValidateFunction {
    const known = validators.get(key)
    if (known !== undefined) return known
    const compiled = ajv.compile(schema)
    validators.set(key, compiled)
    checked.push(schema)
    return compiled
  }

  function problemsOf(key: string, schema: JsonSchema, value: unknown, prefix = ''): Problem[] {
    const validate = validator(key, schema)
    return validate(value) ? [] : problemsIn(validate.errors ?? [], prefix)
  }

  /** The object of an event is any hash to the file, which knows it under its own name. */
  function eventProblems(value: unknown): Problem[] {
    if (Array.isArray(value)) return value.flatMap(eventProblems)
    if (!isRecord(value)) return []
    if (value.object === 'list') return eventProblems(value.data)
    const data = value.object === 'event' && isRecord(value.data) ? value.data.object : undefined
    const name = isRecord(data) ? String(data.object) : ''
    if (spec.definitions[name] === undefined) return []
    return problemsOf(`event ${name}`, { $ref: `stripe#/definitions/${name}` }, data, `event's ${name}: `)
  }

  function bodyProblems(operation: Operation, status: number, value: unknown): Problem[] {
    if (value === undefined) return [{ where: '/', what: 'is not JSON' }]
    const [kind, schema] =
      status === 200 ? (['200', operation.success] as const) : (['error', operation.error] as const)
    return [...problemsOf(`${operation.name} ${kind}`, schema, value), ...eventProblems(value)]
  }

  return {
    check(answer) {
      const value = parsed(answer.body)
      if (isOwn(value) || isUnrecognized(value)) return
      const pathname = answer.path.split('?')[0] ?? ''
      const operation = spec.operationOf(answer.method, pathname)
      if (operation !== undefined && !spec.operations.includes(operation.name)) return
      answers += 1
      const asked = `${answer.method} ${pathname}`
      const name = operation?.name ?? asked.replaceAll(/\/[a-z]+_\w+/g, '/*')
      // Some words of paths look like ids.
      if (operation === undefined && [asked, name].some((one) => explainedOperations[one] !== undefined)) return
      if (operation !== undefined) operations.add(name)
      const problems = operation ? bodyProblems(operation, answer.status, value) : [unknownOperation]
      for (const found of problems) {
        const key = `${name} ${found.where} ${found.what}`
        const known = mismatches.get(key) ?? { operation: name, ...found, count: 0, test: answer.test ?? '' }
        mismatches.set(key, { ...known, count: known.count + 1 })
      }
    },
    findings: () => ({
      answers,
      operations,
      schemas: spec.reachable(checked),
      mismatches: [...mismatches.values()].sort((a, b) => b.count - a.count),
    }),
  }
}

function isOwn(value: unknown): boolean {
  const error = isRecord(value) ? value.error : undefined
  return isRecord(error) && ownCodes.test(String(error.code))
}

/** Stripe has no such path, and its file none either. */
function isUnrecognized(value: unknown): boolean {
  const error = isRecord(value) ? value.error : undefined
  return isRecord(error) && String(error.message).startsWith('Unrecognized request URL')
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
