import * as z from 'zod'

/** A value as DynamoDB's JSON has it: `{ "S": "text" }`. */
const value = z.record(z.string(), z.unknown())
const attributes = z.record(z.string(), value)
const list = z.array(value)
/** In base64, as on the wire, or as the SDK gives them. */
const bytes = z.union([z.instanceof(Uint8Array), z.base64().transform((text) => Buffer.from(text, 'base64'))])

/**
 * The size of an item in bytes, as DynamoDB counts it: names and texts in UTF-8, a number by its digits, and what maps and lists
 * add (Amazon DynamoDB Developer Guide, "DynamoDB Item sizes and formats").
 */
export function itemSize(item: unknown): number {
  const entries = Object.entries(attributes.parse(item))
  return entries.reduce((sum, [name, stored]) => sum + Buffer.byteLength(name) + valueSize(stored), 0)
}

function valueSize(stored: z.infer<typeof value>): number {
  const [[type, content] = ['NULL', true]] = Object.entries(stored)
  switch (type) {
    case 'S':
      return Buffer.byteLength(z.string().parse(content))
    case 'B':
      return bytes.parse(content).byteLength
    case 'N':
      return Math.ceil(z.string().parse(content).replace(/\D/g, '').length / 2) + 2
    case 'M':
      return 3 + Object.keys(attributes.parse(content)).length + itemSize(content)
    case 'L':
      return list.parse(content).reduce((sum, member) => sum + 1 + valueSize(member), 3)
    case 'BOOL':
    case 'NULL':
      return 1
    default:
      throw new Error(`No item of ours holds ${type}`)
  }
}
