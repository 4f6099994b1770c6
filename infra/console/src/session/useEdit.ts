import { useState } from 'react'
import * as z from 'zod/mini'
import { isApiError } from '../../../client/src/index.ts'
import { type Action, useAction } from '../ui/useAction.ts'
import { useStepUp } from './useStepUp.ts'

/** The user's input, and the version of the stored texts when it began. */
interface Edit<Name extends string> {
  readonly typed: Readonly<Partial<Record<Name, string>>>
  readonly version?: string | undefined
}

interface EditOptions<Name extends string> {
  readonly stored: Readonly<Record<Name, string>>
  /** Its ETag. */
  readonly version: string | undefined
  /** Sends the change from the stored texts to these. */
  readonly send: (edited: Readonly<Record<Name, string>>, headers: { readonly 'If-Match'?: string }) => Promise<unknown>
  readonly onSaved: () => Promise<void> | void
  /** Reads the stored texts again. */
  readonly reload: () => Promise<void>
}

interface EditedForm<Name extends string> {
  /** The stored texts with the user's input over them. */
  readonly shown: Readonly<Record<Name, string>>
  readonly isChanged: boolean
  /** Another person has saved meanwhile: both changes are shown, to be checked and saved again. */
  readonly isConflict: boolean
  readonly action: Action
  set(name: Name, text: string): void
  discard(): void
  /** Saves the input over the version that it began with. */
  save(): Promise<void>
}

/**
 * A form over stored texts that other people may change at the same time. The input outlives another sign-in.
 * @param name as for `useStepUp`
 * @param fields their names
 */
export function useEdit<Name extends string>(
  name: string,
  fields: readonly Name[],
  { stored, version, send, onSaved, reload }: EditOptions<Name>,
): EditedForm<Name> {
  const [schema] = useState(() =>
    z.object({ typed: z.partialRecord(z.enum(fields), z.string()), version: z.optional(z.string()) }),
  )
  const stepUp = useStepUp<Edit<Name>>(name, schema, (kept) => void save(kept))
  const [typed, setTyped] = useState<Partial<Readonly<Record<Name, string>>>>(stepUp.kept?.typed ?? {})
  const [isConflict, setConflict] = useState(false)
  const action = useAction()
  const shown = { ...stored, ...typed }

  async function save(edit: Edit<Name>): Promise<void> {
    setConflict(false)
    await action.run(() => stepUp.run(edit, () => sendOver(edit)))
  }

  async function sendOver({ typed: edited, version: from }: Edit<Name>): Promise<void> {
    try {
      await send({ ...stored, ...edited }, from === undefined ? {} : { 'If-Match': from })
    } catch (error) {
      if (!isApiError(error) || error.status !== 412) throw error
      await reload()
      setConflict(true)
      return
    }
    setTyped({})
    await onSaved()
  }

  return {
    shown,
    isChanged: fields.some((field) => shown[field] !== stored[field]),
    isConflict,
    action,
    set: (field, text) => setTyped((before) => ({ ...before, [field]: text })),
    discard() {
      setTyped({})
      action.reset()
    },
    save: () => save({ typed, version }),
  }
}
