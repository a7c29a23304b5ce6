use std::path::{Component, Path, PathBuf};

/// The way from a folder to a path, with `/` between names; empty when they are the same. An absolute path stays one,
/// and so does a way that does not exist.
#[must_use]
pub fn relative(from: &Path, to: &Path) -> String {
    if to.is_absolute() && from.is_relative() {
        return slashes(&normal(to));
    }
    let (from, to) = match (std::path::absolute(from), std::path::absolute(to)) {
        (Ok(from), Ok(to)) => (normal(&from), normal(&to)),
        _ => return slashes(&normal(to)),
    };
    let (from, to): (Vec<_>, Vec<_>) = (from.components().collect(), to.components().collect());
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    // Another drive: there is no way.
    if shared == 0 {
        return slashes(&to.iter().collect::<PathBuf>());
    }
    let up = from.iter().skip(shared).map(|_| Component::ParentDir);
    slashes(&up.chain(to.iter().skip(shared).copied()).collect::<PathBuf>())
}

/// A path without `.` and, as far as it can be told from the text alone, without `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal: Vec<Component<'_>> = Vec::new();
    for component in path.components() {
        match (component, normal.last()) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => {
                normal.pop();
            }
            (Component::ParentDir, Some(Component::RootDir)) => {}
            (other, _) => normal.push(other),
        }
    }
    normal.into_iter().collect()
}

fn slashes(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn way_leads_up_and_down() {
        let way = |from: &str, to: &str| relative(Path::new(from), Path::new(to));
        assert_eq!(way("specs", "specs"), "");
        assert_eq!(way("specs", "specs/../generated/sber"), "../generated/sber");
        assert_eq!(way(".", "./src/integrations/sber"), "src/integrations/sber");
        assert_eq!(way("out/crate", "runtime"), "../../runtime");
        assert_eq!(way("a/../b", "b/c"), "c");
    }

    #[cfg(unix)]
    #[test]
    fn absolute_path_stays_one_where_the_start_is_relative() {
        assert_eq!(relative(Path::new("out"), Path::new("/opt/runtime")), "/opt/runtime");
        assert_eq!(relative(Path::new("/a/b"), Path::new("/a/c")), "../c");
    }
}
