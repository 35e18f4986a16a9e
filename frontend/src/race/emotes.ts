/** The fixed set of cheers, as the server knows them. */
export const EMOTES = ['hello', 'luck', 'nice', 'wow', 'oops', 'thanks'] as const;
