import { PageHeader } from '../ui/PageHeader.tsx'
import { Link } from './navigation.tsx'

/** An address at which nothing is. */
export function UnknownPage() {
  return (
    <>
      <PageHeader title="There is no such page" lead="The address may be misspelled, or the page has moved." />
      <p>
        <Link className="button primary" to={{ page: 'organizations' }}>
          Go to your organizations
        </Link>
      </p>
    </>
  )
}
