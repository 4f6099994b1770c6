import { useState } from 'react'
import { fieldProblems } from '../app/fieldProblems.ts'
import { useServices } from '../app/services.ts'
import type { SignOn } from '../app/types.ts'
import { CheckOption } from '../forms/CheckOption.tsx'
import { TextField } from '../forms/Field.tsx'
import { Form } from '../forms/Form.tsx'
import { useOrganization } from '../organizations/organizationData.ts'
import { useStepUp } from '../session/useStepUp.ts'
import { signOnTexts, usePartTexts } from '../texts/partTexts.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { useToast } from '../ui/Toasts.tsx'
import { useAction } from '../ui/useAction.ts'
import { draftOf, type SignOnDraft, settingsOf, signOnDraft } from './signOnDraft.ts'

const EXAMPLE = 'https://login.example.com'

interface SignOnFormProps {
  readonly signOn: SignOn | null
  readonly onSaved: (signOn: SignOn) => void
}

/** Sets the single sign-on up, or changes it. */
export function SignOnForm({ signOn, onSaved }: SignOnFormProps) {
  const { client } = useServices()
  const { organization, reloadOrganization } = useOrganization()
  const stepUp = useStepUp(`single sign-on ${organization.id}`, signOnDraft, (kept) => {
    // The secret was not kept: the owner enters it again.
    if (!kept.hasSecret) void save(kept, '')
  })
  const [typed, setTyped] = useState<SignOnDraft>({ ...(stepUp.kept ?? draftOf(signOn)), hasSecret: false })
  const [secret, setSecret] = useState('')
  const action = useAction()
  const all = useTexts()
  const { form: texts } = usePartTexts(signOnTexts)
  const say = useToast()
  const problems = fieldProblems(action.error, all, { issuer: texts.issuerProblem })
  const isEmpty = typed.issuer.trim() === '' || typed.clientId.trim() === ''
  const set = (change: Partial<SignOnDraft>) => setTyped((before) => ({ ...before, ...change }))
  // Another issuer or client has another secret.
  const keepsSecret = signOn !== null && signOn.issuer === typed.issuer && signOn.client_id === typed.clientId
  const mustEnterAgain = stepUp.kept?.hasSecret === true && secret === ''

  async function save(draft: SignOnDraft, entered: string): Promise<void> {
    const done = await action.run(() =>
      stepUp.run({ ...draft, hasSecret: entered !== '' }, async () => {
        const path = { organization_id: organization.id }
        onSaved(await client.setSingleSignOn({ path, body: settingsOf(draft, entered) }))
        await reloadOrganization()
      }),
    )
    if (!done) return
    setSecret('')
    say(texts.done)
  }

  return (
    <Form
      form={{ action, isExplained: Object.keys(problems).length > 0 }}
      texts={{ title: signOn === null ? texts.create : texts.edit, button: texts.save }}
      disabled={isEmpty}
      onSubmit={() => save(typed, secret)}
    >
      <TextField
        label={texts.issuer}
        hint={texts.issuerHint}
        problem={problems.issuer}
        value={typed.issuer}
        type="url"
        autoComplete="off"
        spellCheck={false}
        maxLength={2000}
        placeholder={EXAMPLE}
        onChange={(issuer) => set({ issuer })}
      />
      <TextField
        label={texts.clientId}
        problem={problems.client_id}
        value={typed.clientId}
        autoComplete="off"
        spellCheck={false}
        maxLength={500}
        onChange={(clientId) => set({ clientId })}
      />
      <TextField
        label={texts.secret}
        hint={keepsSecret ? texts.secretStays : texts.secretHint}
        problem={problems.client_secret ?? (mustEnterAgain ? texts.secretAgain : undefined)}
        value={secret}
        type="password"
        autoComplete="off"
        maxLength={1000}
        onChange={setSecret}
      />
      <fieldset className="options">
        <legend>{texts.options}</legend>
        <CheckOption
          title={texts.enforced}
          detail={texts.enforcedHint}
          checked={typed.isEnforced}
          onChange={(isEnforced) => set({ isEnforced })}
        />
        <CheckOption
          title={texts.trustAcr}
          detail={texts.trustAcrHint}
          checked={typed.trustAcr}
          onChange={(trustAcr) => set({ trustAcr })}
        />
      </fieldset>
    </Form>
  )
}
