import { useMemo } from 'react'
import { Link } from '../app/navigation.tsx'
import { useServices } from '../app/services.ts'
import type { User } from '../app/types.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { createResource } from '../ui/resource.ts'
import { roleNames } from './permissions.ts'

/** The user's organizations, to choose from. */
export function ChooseOrganizationPage({ user }: { readonly user: User }) {
  const { client } = useServices()
  const resource = useMemo(() => createResource(async () => (await client.listOrganizations()).organizations), [client])
  return (
    <>
      <PageHeader title="Your organizations" lead={`Welcome, ${user.username}. Choose where to go on.`}>
        <Link className="button" to={{ page: 'new-organization' }}>
          <Icon name="plus" />
          New organization
        </Link>
      </PageHeader>
      <Loaded resource={resource} what="organizations">
        {(organizations) =>
          organizations.length === 0 ? (
            <EmptyState icon="people" title="You belong to no organization yet">
              <p>Products belong to an organization. Create one for your team, or ask its owner to invite you.</p>
              <Link className="button primary" to={{ page: 'new-organization' }}>
                Create an organization
              </Link>
            </EmptyState>
          ) : (
            <ul className="rows">
              {organizations.map(({ id, name, role }) => (
                <li key={id}>
                  <Link className="row link-row" to={{ page: 'products', organizationId: id }}>
                    <Avatar name={name} />
                    <span className="row-text">
                      <span className="row-title">{name}</span>
                      <span className="muted">{roleNames[role]}</span>
                    </span>
                    <span className="chevron" aria-hidden="true" />
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  )
}
