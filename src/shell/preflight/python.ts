/** Which Python runs a program: the one that its file's first line names. */

/** Why `vigil_find_python` found none, as a sentence; `text` is what it put into $vigil_why. */
export function whyNone(text: string): string {
  const at = text.indexOf(' ');
  const name = text.slice(at + 1);
  switch (text.slice(0, at)) {
    case 'program':
      return `The program \`${name}\` was not found on the PATH, so its Python isn't known: give its full path, or name \`python\` in the recipe.`;
    case 'shell':
      return `\`${name}\` is a shell or a shell script, which doesn't say what Python it starts: name it as \`python\` in the recipe.`;
    case 'binary':
      return `\`${name}\` is no Python script, so its Python isn't known: name it as \`python\` in the recipe.`;
    case 'unreadable':
      return `\`${name}\` can't be read by this user.`;
    case 'interpreter':
      return `The Python \`${name}\` is not there, or can't be run.`;
    default:
      return 'No Python was found.';
  }
}

/**
 * `vigil_find_python` (after RESOLVE and SAY) takes $vigil_python, or what runs $vigil_first on the path $vigil_words, and puts its absolute path
 * into $vigil_python; else it says why, and fails. Where the first line would be too long, pip and uv write a shell script whose second line is
 * '''exec' and the path. A link is not followed: the folder that it stands in says which environment it is.
 */
export const FIND_PYTHON = `
vigil_none() { vigil_say why "$1"; return 1; }
vigil_is_python() {
  case \${1##*/} in python | python[23] | python[23].[0-9] | python[23].[0-9][0-9]) return 0 ;; esac
  return 1
}
vigil_find_python() {
  if [ -z "$vigil_python" ]; then
    vigil_resolve "$vigil_first" "$vigil_words" || { vigil_none "program $vigil_first"; return; }
    if vigil_is_python "$vigil_first"; then vigil_python=$vigil_program
    else vigil_from_script || return
    fi
  fi
  vigil_program=$vigil_python
  vigil_is_program || { vigil_none "interpreter $vigil_python"; return; }
  [ ! -f "\${vigil_python%/*}/pyvenv.cfg" ] && [ ! -f "\${vigil_python%/bin/*}/pyvenv.cfg" ] || return 0
  vigil_lines "$vigil_python"
  case $vigil_line1 in '#!'*sh) vigil_none "shell $vigil_python" ;; esac
}
vigil_lines() {
  vigil_head=$(head -c 4096 -- "$1" 2>/dev/null | tr -d '\\000')
  vigil_line1=\${vigil_head%%'
'*}
  vigil_head=\${vigil_head#*'
'}
  vigil_line2=\${vigil_head%%'
'*}
}
vigil_from_script() {
  [ -r "$vigil_program" ] || { vigil_none "unreadable $vigil_program"; return; }
  case \${vigil_program##*/} in sh | bash | dash | ash | zsh) vigil_none "shell $vigil_program"; return ;; esac
  vigil_lines "$vigil_program"
  case $vigil_line1 in '#!'*) ;; *) vigil_none "binary $vigil_program"; return ;; esac
  set -f
  set -- \${vigil_line1#'#!'}
  set +f
  case \${1##*/} in
    env)
      shift
      while :; do case \${1-} in -* | *=*) shift ;; *) break ;; esac; done
      vigil_is_python "\${1-}" || { vigil_none "binary $vigil_program"; return; }
      vigil_named=$1
      vigil_resolve "$vigil_named" "$vigil_words" || { vigil_none "interpreter $vigil_named"; return; }
      vigil_python=$vigil_program ;;
    sh | bash | dash | ash | zsh) vigil_from_second ;;
    *) vigil_is_python "\${1-}" || { vigil_none "binary $vigil_program"; return; }
      vigil_python=$1 ;;
  esac
}
vigil_from_second() {
  case $vigil_line2 in "'''exec' "*) ;; *) vigil_none "shell $vigil_program"; return ;; esac
  vigil_line2=\${vigil_line2#"'''exec' "}
  case $vigil_line2 in
    '"$(dirname'*)
      vigil_line2=$(readlink -f "$vigil_program")
      vigil_python=\${vigil_line2%/*}/python ;;
    '"'*) vigil_line2=\${vigil_line2#'"'}; vigil_python=\${vigil_line2%%'"'*} ;;
    "'"*) vigil_line2=\${vigil_line2#"'"}; vigil_python=\${vigil_line2%%"'"*} ;;
    *) vigil_python=\${vigil_line2%% *} ;;
  esac
}
`;
