import { focusManager } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import * as z from 'zod/mini'
import { useServices } from '../app/services.ts'
import type { User } from '../app/types.ts'
import { TextField } from '../forms/Field.tsx'
import { Form } from '../forms/Form.tsx'
import { useForm } from '../forms/useForm.ts'
import { accountTexts, usePartTexts } from '../texts/partTexts.ts'
import { Icon } from '../ui/Icon.tsx'
import { SignedInAgain } from './SignedInAgain.tsx'
import { profileIn } from './session.ts'
import { useStepUp } from './useStepUp.ts'

/**
 * Asks for another email address: a mail to it confirms the change. After another sign-in the new address is still
 * there, and the user types the password again.
 */
export function EmailForm({ user }: { readonly user: User }) {
  const { client, session } = useServices()
  const stepUp = useStepUp('change email', z.string())
  const form = useForm({ email: stepUp.kept ?? '', current_password: '' })
  const [mailed, setMailed] = useState<{ readonly to: string; readonly from: string }>()
  const own = usePartTexts(accountTexts).email
  const { current_password } = form.typed
  const email = form.typed.email.trim()
  const isWaiting = mailed?.from === user.email

  useEffect(() => {
    if (!isWaiting) return
    // The user confirms in another tab, and comes back.
    return focusManager.subscribe((isFocused) => {
      if (!isFocused) return
      const read = client.send('getCurrentUser').then((answer) => session.changed(profileIn(answer)))
      read.catch(() => undefined)
    })
  }, [isWaiting, client, session])

  async function change(): Promise<void> {
    const body = { email, current_password }
    const done = await form.action.run(() => stepUp.run(email, () => client.requestEmailChange({ body })))
    if (!done) return
    setMailed({ to: email, from: user.email })
    form.set({ email: '', current_password: '' })
  }

  return (
    <Form
      form={form}
      texts={own}
      disabled={email === '' || current_password === '' || email === user.email}
      onSubmit={change}
    >
      {stepUp.isSignedIn && !isWaiting && <SignedInAgain text={own.again} />}
      {isWaiting && (
        <p className="notice good" role="status">
          <Icon name="check" />
          <span>{own.mailed(mailed.to, mailed.from)}</span>
        </p>
      )}
      <TextField label={own.next} type="email" autoComplete="email" {...form.field('email')} />
      <TextField
        label={own.password}
        type="password"
        autoComplete="current-password"
        {...form.field('current_password')}
      />
    </Form>
  )
}
