import { focusManager } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import * as z from 'zod/mini'
import { fieldProblems } from '../app/fieldProblems.ts'
import { useServices } from '../app/services.ts'
import type { User } from '../app/types.ts'
import { accountTexts, usePartTexts } from '../texts/partTexts.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { TextField } from '../ui/Field.tsx'
import { Icon } from '../ui/Icon.tsx'
import { useAction } from '../ui/useAction.ts'
import { CredentialForm } from './CredentialForm.tsx'
import { profileIn } from './session.ts'
import { useStepUp } from './useStepUp.ts'

/**
 * Asks for another email address: a mail to it confirms the change. After another sign-in the new address is still
 * there, and the user types the password again.
 */
export function EmailForm({ user }: { readonly user: User }) {
  const { client, session } = useServices()
  const stepUp = useStepUp('change email', z.string())
  const [email, setEmail] = useState(stepUp.kept ?? '')
  const [password, setPassword] = useState('')
  const [mailed, setMailed] = useState<{ readonly to: string; readonly from: string }>()
  const action = useAction()
  const texts = useTexts()
  const own = usePartTexts(accountTexts).email
  const problems = fieldProblems(action.error, texts, texts.problems.fields)
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
    const to = email.trim()
    const body = { email: to, current_password: password }
    const done = await action.run(() => stepUp.run(to, () => client.requestEmailChange({ body })))
    if (!done) return
    setMailed({ to, from: user.email })
    setEmail('')
    setPassword('')
  }

  return (
    <CredentialForm
      id="email"
      texts={own}
      isSignedIn={stepUp.isSignedIn && !isWaiting}
      action={action}
      problems={problems}
      disabled={email.trim() === '' || password === '' || email.trim() === user.email}
      onSubmit={change}
    >
      {isWaiting && (
        <p className="notice good" role="status">
          <Icon name="check" />
          <span>{own.mailed(mailed.to, mailed.from)}</span>
        </p>
      )}
      <TextField
        label={own.next}
        problem={problems.email}
        type="email"
        value={email}
        autoComplete="email"
        onChange={setEmail}
      />
      <TextField
        label={own.password}
        problem={problems.current_password}
        type="password"
        value={password}
        autoComplete="current-password"
        onChange={setPassword}
      />
    </CredentialForm>
  )
}
