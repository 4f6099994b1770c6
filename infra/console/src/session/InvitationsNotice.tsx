import { Link } from '../app/navigation.tsx'
import { useResource } from '../loading/resource.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { Icon } from '../ui/Icon.tsx'
import { useReceivedInvitations } from './receivedInvitations.ts'

/** Says on every other page that there are invitations, and leads to them. */
export function InvitationsNotice() {
  const { received: texts } = useTexts().organizations
  const { value = [] } = useResource(useReceivedInvitations())
  const [first] = value
  if (first === undefined) return null
  return (
    <p className="notice">
      <Icon name="people" />
      <span>
        {value.length === 1 ? texts.one(first.organization.name) : texts.several(value.length)}{' '}
        <Link to={{ page: 'organizations' }}>{texts.look}</Link>
      </span>
    </p>
  )
}
