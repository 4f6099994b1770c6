import type { AuditEntry } from '../app/types.ts'
import type { Localization } from '../texts/createLocalization.ts'
import { wordIn } from '../texts/wordIn.ts'
import type { EntryFacts } from './entryFacts.ts'

/** The names in the sentences; undefined if the person has left or the object is gone. */
export interface EntryNames {
  /** By its id. */
  user(id: string): string | undefined
  /** By its `id` or its `client_id`. */
  apiClient(id: string): string | undefined
  /** By its code. */
  product(product: string): string
}

type Words = Pick<Localization, 'texts' | 'format'>

/** Who made a change: a name, or words if the actor has none. */
export function actorName({ actor }: AuditEntry, names: EntryNames, { texts: { activity } }: Words): string {
  const { type, id } = actor
  switch (type) {
    case 'user':
      return id === null ? activity.actors.user : (names.user(id) ?? activity.formerMember)
    case 'client': {
      const name = id === null ? undefined : names.apiClient(id)
      return name === undefined ? activity.someApiClient : activity.apiClient(name)
    }
    default:
      return wordIn(activity.actors, type)
  }
}

/** The change, in a sentence that begins with the actor: `bought Monitoring`. If the kind of change is unknown, its name is shown. */
export function describeEntry(entry: AuditEntry, names: EntryNames, words: Words): string {
  const sentences: Partial<Record<string, (facts: EntryFacts) => string>> = words.texts.activity.sentences
  return sentences[entry.action]?.(factsOf(entry, names, words)) ?? wordIn({}, entry.action.replace('.', ' '))
}

function factsOf(entry: AuditEntry, names: EntryNames, { texts, format }: Words): EntryFacts {
  const { target } = entry
  const detail: Readonly<Record<string, unknown>> = entry.detail
  const { words, within, apiClient, byInvoice, endOfPeriod } = texts.activity
  const text = (name: string) => String(detail[name] ?? '')
  const user = (id: string) => names.user(id) ?? within.formerMember
  return {
    text,
    day: (name) => (typeof detail[name] === 'string' ? format.day(text(name)) : endOfPeriod),
    role: (name) => wordIn(words.role, text(name)),
    status: (name) => wordIn(words.status, text(name)),
    user: () => user(target),
    receiver: () => user(text('to')),
    apiClient() {
      const name = names.apiClient(target)
      return name === undefined ? within.someApiClient : apiClient(name)
    },
    product: () => names.product(target),
    reason: () => (text('reason') === '' ? '' : wordIn(words.reason, text('reason'))),
    payment: () =>
      text('to') === 'invoice'
        ? byInvoice(format.count(Number(detail.days_until_due), 'day'))
        : wordIn(words.gateway, text('to')),
    fields() {
      const { changed } = detail
      return Array.isArray(changed) ? changed.map((name) => wordIn(words.field, String(name))).join(', ') : ''
    },
  }
}
