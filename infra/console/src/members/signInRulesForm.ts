import type { ConsoleClient } from '../../../client/src/index.ts'
import type { SignInRules } from '../app/types.ts'

/** The fields of the form of the sign-in rules. */
export const ruleFields = ['from', 'days', 'hours', 'applications', 'clients'] as const

export type RuleField = (typeof ruleFields)[number]

/** Which third-party applications may act. */
export const applicationChoices = ['all', 'named', 'none'] as const

/** What the fields show. An empty field is no rule. `applications` is one of `applicationChoices`; `clients` has the ids of the named. */
export type RulesForm = Readonly<Record<RuleField, string>>

type RulesChange = NonNullable<Parameters<ConsoleClient['updateSignInRules']>[0]['body']>

const fieldOfMember: Readonly<Record<string, RuleField>> = {
  second_factor_required_from: 'from',
  max_session_days: 'days',
  idle_hours: 'hours',
  allowed_clients: 'clients',
}

/** The field of a problem's place in the request. */
export function ruleFieldOf(location: string): RuleField | undefined {
  return fieldOfMember[location.split('.')[0] ?? '']
}

export function formOfRules(rules: SignInRules): RulesForm {
  const {
    second_factor_required_from: from,
    max_session_days: days,
    idle_hours: hours,
    allowed_clients: clients,
  } = rules
  return {
    from: from === null ? '' : dayOf(new Date(from)),
    days: days === null ? '' : String(days),
    hours: hours === null ? '' : String(hours),
    applications: clients === null ? 'all' : clients.length === 0 ? 'none' : 'named',
    clients: clients?.join(', ') ?? '',
  }
}

/** The members of the rules that the user changed. */
export function changeOfRules(stored: RulesForm, form: RulesForm): RulesChange {
  const isChanged = (...fields: readonly RuleField[]) => fields.some((field) => stored[field] !== form[field])
  return {
    ...(isChanged('from') && { second_factor_required_from: form.from === '' ? null : startOf(form.from) }),
    ...(isChanged('days') && { max_session_days: numberIn(form.days) }),
    ...(isChanged('hours') && { idle_hours: numberIn(form.hours) }),
    ...(isChanged('applications', 'clients') && { allowed_clients: clientsIn(form) }),
  }
}

function clientsIn({ applications, clients }: RulesForm): string[] | null {
  if (applications === 'all') return null
  return applications === 'none' ? [] : clients.split(/[\s,]+/).filter((id) => id !== '')
}

const numberIn = (text: string) => (text.trim() === '' ? null : Number(text))

/** The day of a moment where the user is: `2026-12-01`. */
function dayOf(moment: Date): string {
  const parts = [moment.getMonth() + 1, moment.getDate()].map((part) => String(part).padStart(2, '0'))
  return [moment.getFullYear(), ...parts].join('-')
}

/** When a day begins where the user is. */
function startOf(day: string): string {
  return new Date(`${day}T00:00`).toISOString()
}
