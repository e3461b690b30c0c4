import { timingSafeEqual } from 'node:crypto';
import ssh2, { type AuthContext } from 'ssh2';

/** Lets in one user with one key, by a checked signature; everything else is refused. `publicKey` is an OpenSSH line. */
export function acceptOnly({ user, publicKey }: { user: string; publicKey: string }): (context: AuthContext) => void {
  const key = ssh2.utils.parseKey(publicKey);
  if (key instanceof Error) throw key;
  const blob = key.getPublicSSH();

  return (context) => {
    if (context.method !== 'publickey' || context.username !== user) return context.reject(['publickey']);
    const offered = context.key.data;
    if (context.key.algo !== key.type || offered.length !== blob.length || !timingSafeEqual(offered, blob)) {
      return context.reject(['publickey']);
    }
    // Without a signature the client only asks whether this key would do.
    if (context.signature === undefined || context.blob === undefined) return context.accept();
    return key.verify(context.blob, context.signature, context.hashAlgo) === true
      ? context.accept()
      : context.reject(['publickey']);
  };
}
