import * as z from 'zod/mini'

/** A role as it was kept. Apart from the permissions, so that the first page loads no schemas. */
export const roleSchema = z.enum(['owner', 'billing_admin', 'member'])
