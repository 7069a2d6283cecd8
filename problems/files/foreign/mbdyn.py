def read_mbdyn(path, shown, model):
    raise NotImplementedError
