import * as z from 'zod/mini'
import { ValidationError } from '../errors.ts'
import { documented, refuseScalar } from '../schema.ts'

const NOT_OURS = 'Value error, not a cursor of this list'

/** The page size of a list: 1 to 100, 25 if it was not sent. */
export function limit() {
  return documented(
    {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      description: 'The maximum number of entries; 25 if omitted',
    },
    z.pipe(
      z.optional(z.string()),
      z.transform((text = '25', context): number => {
        if (!/^[+-]?\d{1,9}$/.test(text.trim())) {
          return refuseScalar(
            context,
            'int_parsing',
            'Input should be a valid integer, unable to parse string as an integer',
          )
        }
        const count = Number(text)
        if (count < 1) return refuseScalar(context, 'greater_than_equal', 'Input should be greater than or equal to 1')
        if (count > 100) return refuseScalar(context, 'less_than_equal', 'Input should be less than or equal to 100')
        return count
      }),
    ),
  )
}

/**
 * The `next_cursor` of an earlier answer, opaque to the caller: undefined for the first page. If `encodeCursor` did not
 * make it, or its content is not `position`, it is 422 `value_error`.
 */
export function cursor<Position extends z.ZodMiniType>(position: Position) {
  return documented(
    { type: 'string', description: 'The `next_cursor` of the page before; the first page if omitted' },
    z.optional(
      z.pipe(
        z.string(),
        z.transform((text, context): z.output<Position> => {
          const { success, data } = position.safeParse(decoded(text))
          return success ? data : refuseScalar(context, 'value_error', NOT_OURS)
        }),
      ),
    ),
  )
}

/** The cursor of the page that begins after `position`, which must survive JSON: base64url, in the only spelling that `cursor` accepts. */
export function encodeCursor(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

function decoded(text: string): unknown {
  try {
    const position: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return encodeCursor(position) === text ? position : undefined
  } catch {
    return undefined
  }
}

const boundPosition = z.tuple([z.string(), z.string().check(z.minLength(1))])

/** The query of a list that has pages: `limit`, and the `cursor` that the page before answered as `next_cursor`. */
export const pageQuery = { limit: limit(), cursor: cursor(boundPosition) }

/**
 * The cursor of a position in a list; null when the list ends.
 * @param list the list, such as an organization's id: a cursor is valid for that list only
 */
export function toCursor(list: string, position: string | undefined): string | null {
  return position === undefined ? null : encodeCursor([list, position])
}

/**
 * The position in a cursor of `pageQuery`; undefined without one. It is not signed: do not trust it.
 * @throws ValidationError for the cursor of another list
 */
export function fromCursor(list: string, cursor: z.output<typeof boundPosition> | undefined): string | undefined {
  if (cursor === undefined) return undefined
  const [of, position] = cursor
  if (of === list) return position
  throw new ValidationError([{ loc: ['query', 'cursor'], msg: NOT_OURS, type: 'value_error' }])
}
