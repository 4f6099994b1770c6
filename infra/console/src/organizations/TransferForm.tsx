import { useState } from 'react'
import * as z from 'zod/mini'
import { useServices } from '../app/services.ts'
import type { User } from '../app/types.ts'
import { useStepUp } from '../session/useStepUp.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
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
  const [isAsking, setAsking] = useState(stepUp.isSignedIn)
  const say = useToast()

  async function transfer(name: string): Promise<void> {
    await stepUp.run(chosen, () =>
      client.transferOwnership({ path: { organization_id: organization.id }, body: { user_id: chosen } }),
    )
    say(`${name} owns ${organization.name} now`)
    await Promise.all([reloadOrganization(), members.reload()])
  }

  return (
    <section className="panel form" aria-labelledby="transfer">
      <h2 id="transfer">Hand over</h2>
      <p className="muted">Another member becomes the owner. You stay as a billing admin.</p>
      <Loaded resource={members} what="members" rows={1}>
        {({ members: all }) => {
          const others = all.filter(({ user_id }) => user_id !== user.id)
          const name = others.find(({ user_id }) => user_id === chosen)?.username ?? 'this member'
          if (others.length === 0) return <p className="hint">Invite someone first: there is no other member yet.</p>
          return (
            <>
              <Field label="New owner">
                {(attributes) => (
                  <select {...attributes} value={chosen} onChange={(event) => setChosen(event.target.value)}>
                    <option value="">Choose a member</option>
                    {others.map(({ user_id, username }) => (
                      <option key={user_id} value={user_id}>
                        {username ?? user_id}
                      </option>
                    ))}
                  </select>
                )}
              </Field>
              <div className="form-actions">
                <Button disabled={chosen === ''} onClick={() => setAsking(true)}>
                  Hand over
                </Button>
              </div>
              {isAsking && (
                <ConfirmDialog
                  title={`Hand ${organization.name} over?`}
                  confirm="Hand over"
                  keep="Keep ownership"
                  onConfirm={() => transfer(name)}
                  onClose={() => setAsking(false)}
                >
                  <p>
                    <strong>{name}</strong> becomes the owner. You become a billing admin, and only {name} can change
                    that.
                  </p>
                </ConfirmDialog>
              )}
            </>
          )
        }}
      </Loaded>
    </section>
  )
}
