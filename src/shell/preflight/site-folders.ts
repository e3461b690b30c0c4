/** A Python's site-packages folders, as its `site` module has them. */

/**
 * `vigil_each_site COMMAND` (after `vigil_find_python`) runs COMMAND with each of them, in the order of import: the environment's own, the user's,
 * the system's. A pyvenv.cfg beside the program or one folder above makes an environment; its Python's version is in there, else in the name of
 * the file that the program is a link to. $vigil_hides_user = 1: the user's are left out.
 */
export const SITE_FOLDERS = `
vigil_site() {
  [ -d "$2" ] || return 0
  vigil_real=$(cd -P -- "$2" 2>/dev/null && pwd)
  case $vigil_seen in *"|$vigil_real|"*) return 0 ;; esac
  vigil_seen="$vigil_seen$vigil_real|"
  "$1" "$2"
}
vigil_sites_of() {
  for vigil_site in "$2"/lib/python\${vigil_minor:-3.*}/site-packages "$2"/lib64/python\${vigil_minor:-3.*}/site-packages \\
    "$2"/lib/python\${vigil_minor:-3.*}/dist-packages "$2"/lib/python3/dist-packages; do
    vigil_site "$1" "$vigil_site"
  done
}
vigil_read_cfg() {
  vigil_home= vigil_system=0
  while IFS= read -r vigil_line || [ -n "$vigil_line" ]; do
    vigil_value=\${vigil_line#*=} vigil_value=\${vigil_value# }
    case $vigil_line in
      'home '* | home=*) vigil_home=$vigil_value ;;
      include-system-site-packages*) case $vigil_value in [Tt]rue*) vigil_system=1 ;; esac ;;
      version*)
        vigil_line=\${vigil_value#*.}
        vigil_minor=\${vigil_value%%.*}.\${vigil_line%%.*} ;;
    esac
  done <"$1"
  case $vigil_minor in 3.[0-9] | 3.[0-9][0-9]) ;; *) vigil_minor= ;; esac
}
vigil_user_sites() {
  [ "$vigil_hides_user" = 0 ] || return 0
  for vigil_site in "$HOME"/.local/lib/python\${vigil_minor:-3.*}/site-packages; do vigil_site "$1" "$vigil_site"; done
}
vigil_system_sites() {
  if [ "$2" = /usr ]; then vigil_sites_of "$1" /usr/local; fi
  vigil_sites_of "$1" "$2"
}
vigil_each_site() {
  vigil_seen='|' vigil_minor=
  vigil_bin=\${vigil_python%/*}
  vigil_prefix=\${vigil_bin%/*}
  for vigil_cfg in "$vigil_bin/pyvenv.cfg" "$vigil_prefix/pyvenv.cfg"; do
    [ -f "$vigil_cfg" ] && [ -r "$vigil_cfg" ] || continue
    vigil_read_cfg "$vigil_cfg"
    vigil_sites_of "$1" "\${vigil_cfg%/*}"
    [ $vigil_system = 1 ] || return 0
    vigil_user_sites "$1"
    vigil_system_sites "$1" "\${vigil_home%/bin}"
    return 0
  done
  vigil_real=$(readlink -f "$vigil_python") || vigil_real=$vigil_python
  case \${vigil_real##*/} in python3.[0-9] | python3.[0-9][0-9]) vigil_minor=\${vigil_real##*/python} ;; esac
  vigil_bin=\${vigil_real%/*}
  vigil_user_sites "$1"
  vigil_system_sites "$1" "\${vigil_bin%/*}"
}
`;
