import { useServices } from '../app/services.ts'
import { nothing, useStepUp } from '../session/useStepUp.ts'
import { useLocalization } from '../texts/useLocalization.ts'
import { Button } from '../ui/Button.tsx'
import { DangerPanel } from '../ui/DangerPanel.tsx'
import { Panel } from '../ui/Panel.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { useAction } from '../ui/useAction.ts'
import { useOrganization } from './organizationData.ts'

/** Deletes the organization, or, while that can be undone, takes it back. For owners. */
export function DeleteOrganization() {
  const { client } = useServices()
  const { organization, reloadOrganization } = useOrganization()
  const deletion = useStepUp(`delete ${organization.id}`, nothing)
  const action = useAction()
  const { texts, format } = useLocalization()
  const own = texts.organizations.deletion
  const say = useToast()
  const path = { organization_id: organization.id }

  async function remove(): Promise<void> {
    await deletion.run(true, async () => {
      const { deletion_at } = await client.deleteOrganization({ path })
      say(own.done(organization.name, format.day(deletion_at)))
    })
    await reloadOrganization()
  }

  async function restore(): Promise<void> {
    await client.restoreOrganization({ path })
    say(own.restored(organization.name))
    await reloadOrganization()
  }

  if (organization.deletion_at === null)
    return (
      <DangerPanel
        texts={own}
        name={organization.name}
        word={organization.name}
        asksAtOnce={deletion.isSignedIn}
        onConfirm={remove}
      />
    )
  return (
    <Panel title={own.title} lead={<p>{own.scheduled(format.day(organization.deletion_at))}</p>} error={action.error}>
      <Button kind="primary" running={action.running} onClick={() => void action.run(restore)}>
        {own.restore}
      </Button>
    </Panel>
  )
}
