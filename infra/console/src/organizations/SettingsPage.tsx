import { type FormEvent, useState } from 'react'
import { fieldProblems } from '../app/fieldProblems.ts'
import { navigate } from '../app/navigation.tsx'
import { useServices } from '../app/services.ts'
import type { User } from '../app/types.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { ConfirmButton } from '../ui/ConfirmDialog.tsx'
import { TextField } from '../ui/Field.tsx'
import { FormActions } from '../ui/FormActions.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { useAction } from '../ui/useAction.ts'
import { DeleteOrganization } from './DeleteOrganization.tsx'
import { useOrganization } from './organizationData.ts'
import { may } from './permissions.ts'
import { TransferForm } from './TransferForm.tsx'

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
        <section className="panel" aria-labelledby="leave">
          <h2 id="leave">{texts.title}</h2>
          <p className="muted">{texts.lead}</p>
          <div className="panel-action">
            <ConfirmButton
              kind="danger"
              button={texts.button}
              title={texts.question(organization.name)}
              confirm={texts.button}
              keep={texts.stay}
              onConfirm={leave}
            >
              <p>{texts.effects}</p>
            </ConfirmButton>
          </div>
        </section>
        {canManage && <DeleteOrganization />}
      </div>
    </>
  )
}

/** Changes the organization's name. */
function RenameForm() {
  const { client } = useServices()
  const { organization, reloadOrganization } = useOrganization()
  const [name, setName] = useState(organization.name)
  const action = useAction()
  const texts = useTexts()
  const { rename: own } = texts.organizations
  const say = useToast()
  const problem = fieldProblems(action.error, texts, texts.problems.fields).name

  async function rename(event: FormEvent): Promise<void> {
    event.preventDefault()
    const done = await action.run(async () => {
      await client.updateOrganization({ path: { organization_id: organization.id }, body: { name } })
      await reloadOrganization()
    })
    if (done) say(own.done)
  }

  return (
    <form className="panel form" aria-labelledby="rename" onSubmit={(event) => void rename(event)} noValidate>
      <h2 id="rename">{own.title}</h2>
      <TextField label={own.label} problem={problem} value={name} maxLength={100} onChange={setName} />
      <FormActions
        action={action}
        submit={own.button}
        disabled={name.trim() === '' || name.trim() === organization.name}
        isExplained={problem !== undefined}
      />
    </form>
  )
}
