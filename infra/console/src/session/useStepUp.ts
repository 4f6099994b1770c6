import { useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { isApiError } from '../../../client/src/index.ts'
import { useServices } from '../app/services.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { useToast } from '../ui/Toasts.tsx'

/** The input of an action that has none: keeps only that it was asked for. */
export const nothing = z.literal(true)

/** An action that may have to wait for another sign-in. */
interface StepUpAction<Input> {
  /** The user's input when the browser left for the sign-in: fills a form again. */
  readonly kept: Input | undefined
  /** Whether the user has signed in for it since: if the action cannot be undone, ask again, else do it. */
  readonly isSignedIn: boolean
  /**
   * Does the work. If the sign-in is not enough, keeps `input`, leaves for another sign-in and never resolves. If it is
   * refused right after that sign-in, it throws the refusal, so that it never loops.
   */
  run(input: Input, work: () => Promise<unknown>): Promise<void>
}

/**
 * @param name names the action and its object: unique in the console
 * @param onSignedIn called once when the user has signed in again for the kept action
 */
export function useStepUp<Input>(
  name: string,
  schema: z.ZodMiniType<Input>,
  onSignedIn?: (input: Input) => void,
): StepUpAction<Input> {
  const { stepUp } = useServices()
  const { session } = useTexts()
  const say = useToast()
  const [back] = useState(() => {
    const returned = stepUp.returned(name)
    const input = returned && schema.safeParse(returned.input).data
    return input === undefined ? undefined : { input, isSignedIn: returned?.isSignedIn === true }
  })
  const isRepeat = useRef(back?.isSignedIn === true)
  const isReturn = useRef(back !== undefined)

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for the page that the browser came back to
  useEffect(() => {
    stepUp.forget(name)
    if (back === undefined || !isReturn.current) return
    isReturn.current = false
    if (back.isSignedIn) onSignedIn?.(back.input)
    else say(session.notSignedInAgain, 'info')
  }, [])

  async function run(input: Input, work: () => Promise<unknown>): Promise<void> {
    const wasRepeat = isRepeat.current
    isRepeat.current = false
    try {
      await work()
    } catch (error) {
      if (wasRepeat || !isApiError(error) || error.stepUp === undefined) throw error
      await stepUp.leave({ name, input }, error.stepUp)
    }
  }

  return { kept: back?.input, isSignedIn: back?.isSignedIn === true, run }
}
