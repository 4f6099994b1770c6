import { useState } from 'react'
import { useServices } from '../app/services.ts'
import type { User } from '../app/types.ts'
import { TextField } from '../forms/Field.tsx'
import { Form } from '../forms/Form.tsx'
import { useForm } from '../forms/useForm.ts'
import { accountTexts, usePartTexts } from '../texts/partTexts.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { Button } from '../ui/Button.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { SignedInAgain } from './SignedInAgain.tsx'
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
  const [isShown, setShown] = useState(false)
  const { newPassword } = useTexts().problems.fields
  const own = usePartTexts(accountTexts).password
  const form = useForm({ current_password: '', new_password: '' }, { new_password: newPassword })
  const say = useToast()
  const type = isShown ? 'text' : 'password'

  async function change(): Promise<void> {
    const body = form.typed
    const done = await form.action.run(() => stepUp.run(true, () => client.changePassword({ body })))
    if (!done) return
    form.set({ current_password: '', new_password: '' })
    setShown(false)
    say(own.done)
    await onChanged()
  }

  return (
    <Form
      form={form}
      texts={own}
      className="panel form narrow"
      disabled={Object.values(form.typed).includes('')}
      onSubmit={change}
      buttons={
        <Button kind="quiet" onClick={() => setShown(!isShown)}>
          {isShown ? own.hide : own.show}
        </Button>
      }
    >
      {stepUp.isSignedIn && <SignedInAgain text={own.again} />}
      {/* Password managers find the account by it. */}
      <input type="text" autoComplete="username" value={user.email} readOnly hidden />
      <TextField label={own.current} type={type} autoComplete="current-password" {...form.field('current_password')} />
      <TextField
        label={own.next}
        hint={own.rule}
        type={type}
        autoComplete="new-password"
        {...form.field('new_password')}
      />
    </Form>
  )
}
