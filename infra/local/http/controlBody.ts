import type * as z from 'zod'
import { json, type WireAnswer } from './apiGatewayAnswer.ts'
import type { WireRequest } from './apiGatewayEvent.ts'

/** A refused control request. Only developers call the controls, so `detail` names the cause in full. */
export class ControlError extends Error {
  readonly answer: WireAnswer

  constructor(status: number, detail: unknown) {
    super()
    this.answer = json(status, { detail })
  }
}

/**
 * The body of a control request.
 * @throws ControlError 422
 */
export function readBody<Schema extends z.ZodType>(
  schema: Schema,
  { body }: Pick<WireRequest, 'body'>,
): z.output<Schema> {
  const parsed = schema.safeParse(parseJson(Buffer.from(body).toString('utf8')))
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  throw new ControlError(
    422,
    issues.map(({ path, message, code }) => ({ loc: ['body', ...path], msg: message, type: code })),
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ControlError(422, [{ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid' }])
  }
}
