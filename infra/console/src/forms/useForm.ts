import { useState } from 'react'
import { fieldProblems } from '../app/fieldProblems.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { type Action, useAction } from '../ui/useAction.ts'

/** The texts that a user types into a form, and the request that sends them. */
interface TextForm<Name extends string> {
  readonly typed: Readonly<Record<Name, string>>
  set(change: Partial<Readonly<Record<Name, string>>>): void
  /** The attributes of the `TextField` for a text: its value, the change, and the problem that the request found. */
  field(name: Name): {
    readonly value: string
    readonly problem: string | undefined
    readonly onChange: (text: string) => void
  }
  readonly action: Action
  /** Whether a field says why the request failed. */
  readonly isExplained: boolean
}

/**
 * @param initial the texts by the names that their fields have in the request
 * @param words what to say about a field, by its name, if `texts.problems.fields` does not say it
 * @param shared the request, if another component starts it too
 */
export function useForm<Name extends string>(
  initial: Readonly<Record<Name, string>>,
  words: Partial<Readonly<Record<Name, string>>> = {},
  shared?: Action,
): TextForm<Name> {
  const [typed, setTyped] = useState(initial)
  const own = useAction()
  const action = shared ?? own
  const texts = useTexts()
  const problems = fieldProblems(action.error, texts, { ...texts.problems.fields, ...words })
  const set = (change: Partial<Readonly<Record<Name, string>>>) => setTyped((before) => ({ ...before, ...change }))
  return {
    typed,
    set,
    field: (name) => ({
      value: typed[name],
      problem: problems[name],
      onChange: (text) => setTyped((before) => ({ ...before, [name]: text })),
    }),
    action,
    isExplained: Object.keys(typed).some((name) => problems[name] !== undefined),
  }
}
