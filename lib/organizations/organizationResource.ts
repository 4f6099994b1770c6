import * as z from 'zod/mini'
import { toRfc3339 } from '../core/clock.ts'
import { described, named, refuseScalar } from '../http/schema.ts'
import { type NameProblem, problemOfName } from '../users/soundName.ts'
import { requiresResource, toRequiresResource } from './admission/signInRulesResource.ts'
import { type OwnOrganization, roleSchema } from './ports.ts'

/** No control characters, line separators, invisible operators, or characters that change the direction of surrounding text. */
const printable = /^[^\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2060-\u206F]+$/u

const nameProblems: Readonly<Record<NameProblem, string>> = {
  invisible_character: 'Value error, a name has no invisible characters',
  mixed_scripts: 'Value error, a word does not mix letters of different scripts that look alike',
}

/** An organization's name: 1 to 100 characters, trimmed, that look like what they are (`problemOfName`). */
export const organizationName = z.pipe(
  z.string().check(z.trim(), z.minLength(1), z.maxLength(100), z.regex(printable)),
  z.transform((name, context): string => {
    const problem = problemOfName(name)
    return problem === undefined ? name : refuseScalar(context, 'value_error', nameProblems[problem])
  }),
)

/** An organization in the API. */
export const organizationResource = named(
  'Organization',
  z.strictObject({
    id: described('The organization’s id, which never changes', z.uuid()),
    name: described('The name that its members gave it', z.string()),
    /** The caller's role. */
    role: described('The caller’s role in it', roleSchema),
    created_at: described('When it was created', z.iso.datetime()),
    /** When its erasure begins at the earliest; null unless it is being deleted. */
    deletion_at: described(
      'When its erasure begins at the earliest; null unless it is being deleted',
      z.nullable(z.iso.datetime()),
    ),
    requires: described('What it requires of the sign-ins of its members', requiresResource),
  }),
)

/** Maps an organization to the API's object, without other stored members. */
export function toOrganizationResource({ organization, role }: OwnOrganization): z.infer<typeof organizationResource> {
  const { id, name, createdAt, deletion } = organization
  const deletionAt = deletion ? toRfc3339(deletion.eraseAfter) : null
  return { id, name, role, created_at: createdAt, deletion_at: deletionAt, requires: toRequiresResource(organization) }
}
