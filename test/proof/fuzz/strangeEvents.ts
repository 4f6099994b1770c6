import * as z from 'zod'
import { gatewayEventTypes } from '../../../lib/billing/gateway/gatewayEvent.ts'
import { noon, organizationId, userId } from '../../billing/fixtures.ts'

/** A number below `below`, 0 included, the same ones for the same seed. */
export type Below = (below: number) => number

export function oneOf<Value>(below: Below, choices: readonly [Value, ...Value[]]): Value {
  return choices[below(choices.length)] ?? choices[0]
}

const record = z.record(z.string(), z.unknown())
const metadata = { organization_id: organizationId, product: 'ota', plan_code: 'base_ota', n: '1', user_id: userId }
const invoice = {
  id: 'in_1',
  customer: 'cus_1',
  parent: { subscription_details: { subscription: 'sub_1', metadata } },
}

function objectOf(type: string): unknown {
  if (type.startsWith('invoice.')) return invoice
  if (type === 'setup_intent.succeeded') return { id: 'seti_1', customer: 'cus_1', payment_method: 'pm_1', metadata }
  if (type === 'customer.deleted') return { id: 'cus_1', metadata }
  if (type === 'payment_method.detached') return { id: 'pm_1', customer: null }
  return { id: 'sub_1', customer: { id: 'cus_1' }, status: 'active', metadata }
}

/** The JSON of an event as Stripe writes it, in which members at any depth may be something else. */
export function eventText(below: Below): string {
  const type = oneOf(below, gatewayEventTypes)
  let [event, object]: unknown[] = [{}, objectOf(type)]
  // What an event is about is what is looked at, so that is changed more often than the rest.
  for (let left = below(3); left > 0; left -= 1) object = withOneChanged(object, below)
  event = { id: 'evt_1', type, created: noon - below(20), data: { object } }
  if (below(4) === 0) event = withOneChanged(event, below)
  const text = JSON.stringify(event) ?? ''
  return below(5) === 0 ? edited(text, below) : text
}

/** Replaces, renames or leaves out one member. */
function withOneChanged(value: unknown, below: Below): unknown {
  const members = Object.entries(record.safeParse(value).data ?? {})
  const chosen = members[below(members.length)]
  if (!chosen || below(6) === 0) return strangeValue(below)
  const [name, member] = chosen
  const rest = members.filter(([key]) => key !== name)
  const kind = below(8)
  if (kind === 0) return Object.fromEntries(rest)
  if (kind === 1)
    return Object.fromEntries([...rest, [oneOf(below, ['__proto__', 'constructor', 'toString', '']), member]])
  return Object.fromEntries([...rest, [name, withOneChanged(member, below)]])
}

function strangeValue(below: Below): unknown {
  const strings = [
    '',
    'x',
    '\u0000',
    '\ud800',
    '😀',
    'x'.repeat(3000),
    '../..',
    '%2e',
    '-1',
    '1e3',
    '__proto__',
  ] as const
  const numbers = [0, -1, 0.5, 1e308, Number.MAX_SAFE_INTEGER + 2, noon] as const
  switch (below(5)) {
    case 0:
      return oneOf(below, strings)
    case 1:
      return oneOf(below, numbers)
    case 2:
      return oneOf<unknown>(below, [
        null,
        true,
        false,
        [],
        {},
        [[]],
        [null],
        { length: 1 },
        { toString: 1, valueOf: null },
      ])
    case 3:
      return { ...metadata, n: oneOf<unknown>(below, [[], ['1'], '0', '1.5', '0x1', true, null, '9'.repeat(400), {}]) }
    default:
      return { ...metadata, plan_code: oneOf(below, ['constructor', '', 'base_ota ', 'BASE_OTA', 'addon_monitoring']) }
  }
}

/** What only text can carry: keys twice, names that objects have already, depth, numbers and characters past the edge. */
function edited(text: string, below: Below): string {
  const at = below(text.length + 1)
  const insert = (piece: string) => text.slice(0, at) + piece + text.slice(at)
  const first = (piece: string) => text.replace('{', `{${piece},`)
  // Deep ones take long to read, so they are rare.
  const depth = 10 ** (below(20) === 0 ? below(6) : below(4))
  switch (below(10)) {
    case 0:
      return first(
        oneOf(below, ['"type":1', '"type":"invoice.paid"', '"created":"x"', '"data":null', '"data":{"object":{}}']),
      )
    case 1:
      return text.replace(
        /\}$/,
        `,"type":${oneOf(below, ['"customer.deleted"', 'null', '"__proto__"', '"constructor"'])}}`,
      )
    case 2:
      return first(`"__proto__":{"type":"invoice.paid","created":${noon}}`)
    case 3:
      return text.replace('"object":{', '"object":{"__proto__":{"id":"sub_9"},"constructor":{"prototype":{}},')
    case 4:
      return first(`"deep":${'['.repeat(depth)}${']'.repeat(depth)}`)
    case 5:
      return text.replace('"metadata":{', `"metadata":{"deep":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)},`)
    case 6:
      return text.replace(
        /"created":\d+/,
        `"created":${oneOf(below, ['1e999', '-0', '1e-999', '9'.repeat(400), 'NaN'])}`,
      )
    case 7:
      return insert(oneOf(below, ['\uFEFF', '\u0000', '\ud800', '\\ud800', '{', '"', ']', ' '.repeat(5000), '\u2028']))
    case 8:
      return text.slice(0, at)
    default:
      return oneOf(below, ['', ' ', 'null', '0', '[]', '{}', '"text"', `\uFEFF${text}`, `${text}${text}`, `${text}\n`])
  }
}
