import { useState } from 'react'
import * as z from 'zod/mini'
import { useServices } from '../app/services.ts'
import type { User } from '../app/types.ts'
import { useStepUp } from '../session/useStepUp.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { ConfirmButton } from '../ui/ConfirmDialog.tsx'
import { Field } from '../ui/Field.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { useOrganization } from './organizationData.ts'

/** Makes another member the owner; the user becomes a billing admin. */
export function TransferForm({ user }: { readonly user: User }) {
  const { client } = useServices()
  const { organization, members, reloadOrganization } = useOrganization()
  const stepUp = useStepUp(`transfer ${organization.id}`, z.string())
  const [chosen, setChosen] = useState(stepUp.kept ?? '')
  const { transfer: texts } = useTexts().organizations
  const say = useToast()

  async function transfer(name: string): Promise<void> {
    await stepUp.run(chosen, () =>
      client.transferOwnership({ path: { organization_id: organization.id }, body: { user_id: chosen } }),
    )
    say(texts.done(name, organization.name))
    await Promise.all([reloadOrganization(), members.reload()])
  }

  return (
    <section className="panel form" aria-labelledby="transfer">
      <h2 id="transfer">{texts.title}</h2>
      <p className="muted">{texts.lead}</p>
      <Loaded resource={members} what="members" rows={1}>
        {({ members: all }) => {
          const others = all.filter(({ user_id }) => user_id !== user.id)
          const name = others.find(({ user_id }) => user_id === chosen)?.username ?? texts.thisMember
          if (others.length === 0) return <p className="hint">{texts.noOthers}</p>
          return (
            <>
              <Field label={texts.newOwner}>
                {(attributes) => (
                  <select {...attributes} value={chosen} onChange={(event) => setChosen(event.target.value)}>
                    <option value="">{texts.choose}</option>
                    {others.map(({ user_id, username }) => (
                      <option key={user_id} value={user_id}>
                        {username ?? user_id}
                      </option>
                    ))}
                  </select>
                )}
              </Field>
              <div className="form-actions">
                <ConfirmButton
                  kind="plain"
                  button={texts.button}
                  disabled={chosen === ''}
                  title={texts.question(organization.name)}
                  confirm={texts.button}
                  keep={texts.keep}
                  asksAtOnce={stepUp.isSignedIn}
                  onConfirm={() => transfer(name)}
                >
                  <p>{texts.effects(name)}</p>
                </ConfirmButton>
              </div>
            </>
          )
        }}
      </Loaded>
    </section>
  )
}
