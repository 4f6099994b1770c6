import { useState } from 'react'
import * as z from 'zod/mini'
import { navigate } from '../app/navigation.tsx'
import { useServices } from '../app/services.ts'
import type { Member, User } from '../app/types.ts'
import { TextField } from '../forms/Field.tsx'
import { Form } from '../forms/Form.tsx'
import { SelectField } from '../forms/SelectField.tsx'
import { useForm } from '../forms/useForm.ts'
import { Loaded } from '../loading/Loaded.tsx'
import { useStepUp } from '../session/useStepUp.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { ConfirmButton } from '../ui/ConfirmDialog.tsx'
import { DangerPanel } from '../ui/DangerPanel.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { DeleteOrganization } from './DeleteOrganization.tsx'
import { useOrganization } from './organizationData.ts'
import { may } from './permissions.ts'

/** The organization itself: its name, its owner, and the way out of it. */
export function SettingsPage({ user }: { readonly user: User }) {
  const { client } = useServices()
  const { organization } = useOrganization()
  const { settings, leave: texts } = useTexts().organizations
  const say = useToast()
  const canManage = may(organization.role, 'manage organization')

  async function leave(): Promise<void> {
    await client.leaveOrganization({ path: { organization_id: organization.id } })
    say(texts.done(organization.name))
    navigate({ page: 'organizations' }, true)
  }

  return (
    <>
      <PageHeader title={settings.title} lead={settings.lead(organization.name)} />
      <div className="stack narrow">
        {canManage && <RenameForm />}
        {canManage && <TransferForm user={user} />}
        <DangerPanel texts={texts} name={organization.name} onConfirm={leave} />
        {canManage && <DeleteOrganization />}
      </div>
    </>
  )
}

/** Changes the organization's name. */
function RenameForm() {
  const { client } = useServices()
  const { organization, reloadOrganization } = useOrganization()
  const form = useForm({ name: organization.name })
  const { rename: own } = useTexts().organizations
  const say = useToast()
  const name = form.typed.name.trim()

  async function rename(): Promise<void> {
    const done = await form.action.run(async () => {
      await client.updateOrganization({ path: { organization_id: organization.id }, body: form.typed })
      await reloadOrganization()
    })
    if (done) say(own.done)
  }

  return (
    <Form form={form} texts={own} disabled={name === '' || name === organization.name} onSubmit={rename}>
      <TextField label={own.label} maxLength={100} {...form.field('name')} />
    </Form>
  )
}

/** Makes another member the owner; the user becomes a billing admin. */
function TransferForm({ user }: { readonly user: User }) {
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
              <SelectField
                label={texts.newOwner}
                value={chosen}
                options={[['', texts.choose], ...others.map(optionOf)]}
                onChange={setChosen}
              />
              <div className="form-actions">
                <ConfirmButton
                  kind="plain"
                  texts={texts}
                  name={organization.name}
                  disabled={chosen === ''}
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

/** A member without a name, whose account is deleted, by the id. */
function optionOf({ user_id, username }: Member): readonly [string, string] {
  return [user_id, username ?? user_id]
}
