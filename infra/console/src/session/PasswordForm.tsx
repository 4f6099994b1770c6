import { useState } from 'react'
import { fieldProblems } from '../app/fieldProblems.ts'
import { useServices } from '../app/services.ts'
import type { User } from '../app/types.ts'
import { accountTexts, usePartTexts } from '../texts/partTexts.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { useAction } from '../ui/useAction.ts'
import { CredentialForm } from './CredentialForm.tsx'
import { nothing, useStepUp } from './useStepUp.ts'

interface PasswordFormProps {
  readonly user: User
  /** The other sessions have ended. */
  readonly onChanged: () => Promise<void>
}

/** Changes the password. No password outlives the page: after another sign-in the user types both again. */
export function PasswordForm({ user, onChanged }: PasswordFormProps) {
  const { client } = useServices()
  const stepUp = useStepUp('change password', nothing)
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [isShown, setShown] = useState(false)
  const action = useAction()
  const texts = useTexts()
  const own = usePartTexts(accountTexts).password
  const say = useToast()
  const problems = fieldProblems(action.error, texts, { new_password: texts.problems.fields.newPassword })
  const type = isShown ? 'text' : 'password'

  async function change(): Promise<void> {
    const body = { current_password: current, new_password: next }
    const done = await action.run(() => stepUp.run(true, () => client.changePassword({ body })))
    if (!done) return
    setCurrent('')
    setNext('')
    setShown(false)
    say(own.done)
    await onChanged()
  }

  return (
    <CredentialForm
      id="password"
      className="narrow"
      texts={own}
      isSignedIn={stepUp.isSignedIn}
      action={action}
      problems={problems}
      disabled={current === '' || next === ''}
      onSubmit={change}
      buttons={
        <Button kind="quiet" onClick={() => setShown(!isShown)}>
          {isShown ? own.hide : own.show}
        </Button>
      }
    >
      {/* Password managers find the account by it. */}
      <input type="text" autoComplete="username" value={user.email} readOnly hidden />
      <TextField
        label={own.current}
        problem={problems.current_password}
        type={type}
        value={current}
        autoComplete="current-password"
        onChange={setCurrent}
      />
      <TextField
        label={own.next}
        hint={own.rule}
        problem={problems.new_password}
        type={type}
        value={next}
        autoComplete="new-password"
        onChange={setNext}
      />
    </CredentialForm>
  )
}
